//! Games of variants on a screen.

mod draw;
mod opponent;
mod state;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event;
use tamarin_variant_search::Engine;

use super::table::Table;
use crate::begin::Failure;
use crate::full_screen;
use crate::text_board::Colors;
use crate::theme::Theme;
use opponent::Opponent;
use state::State;

/// How often clocks and searches are looked at.
const TICK: Duration = Duration::from_millis(50);

/// Plays until the player leaves; `engine` plays, that of the table answers questions.
pub fn run(table: Table, engine: Engine, theme: Theme, colors: Colors) -> Result<(), Failure> {
    let mut state = State::new(table, Opponent::new(engine), theme, colors);
    full_screen::with(|terminal, end| play(terminal, &mut state, end))
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
