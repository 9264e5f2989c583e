//! Games of variants on a screen.

mod draw;
mod opponent;
mod state;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use tamarin_base::process::shutdown;
use tamarin_variant_search::Engine;

use super::table::Table;
use crate::begin::Failure;
use crate::text_board::Colors;
use crate::theme::Theme;
use opponent::Opponent;
use state::State;

/// How often clocks and searches are looked at.
const TICK: Duration = Duration::from_millis(50);

/// Plays until the player leaves; `engine` plays, that of the table answers questions.
///
/// # Errors
/// If the terminal fails or the system gives no thread.
pub fn run(table: Table, engine: Engine, theme: Theme, colors: Colors) -> Result<(), Failure> {
    let asked_to_end = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&asked_to_end);
    shutdown::on_signal(Arc::default(), move || {
        flag.store(true, Ordering::Relaxed);
        shutdown::exit_after(shutdown::QUIT_GRACE);
    });
    let mut terminal = ratatui::try_init()?;
    let mut state = State::new(table, Opponent::new(engine), theme, colors);
    let played = execute!(io::stdout(), EnableMouseCapture)
        .map_err(Failure::from)
        .and_then(|()| play(&mut terminal, &mut state, &asked_to_end));
    // Whatever fails now, the terminal is as usable as it can be.
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
    played
}

fn play(
    terminal: &mut DefaultTerminal,
    state: &mut State,
    end: &AtomicBool,
) -> Result<(), Failure> {
    while !state.has_quit() && !end.load(Ordering::Relaxed) {
        state.advance()?;
        terminal.draw(|frame| draw::draw(frame, state))?;
        if !event::poll(TICK)? {
            continue;
        }
        loop {
            state.handle(&event::read()?)?;
            if state.has_quit() || !event::poll(Duration::ZERO)? {
                break;
            }
        }
    }
    Ok(())
}
