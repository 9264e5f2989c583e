//! Games of variants on a screen.

mod draw;
mod opponent;
mod state;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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

/// How often clocks are looked at, and how often the screen is drawn if nothing happens.
const TICK: Duration = Duration::from_millis(50);

/// How often a search is looked at: the engine's clock runs until its move is taken.
const POLL: Duration = Duration::from_millis(4);

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
    let mut drawn: Option<Instant> = None;
    while !state.has_quit() && !end.load(Ordering::Relaxed) {
        let plies = state.table.game.plies();
        state.advance()?;
        let has_moved = state.table.game.plies() != plies;
        if has_moved || drawn.is_none_or(|at| at.elapsed() >= TICK) {
            terminal.draw(|frame| draw::draw(frame, state))?;
            drawn = Some(Instant::now());
        }
        let wait = if state.waits_for_engine() { POLL } else { TICK };
        if !event::poll(wait)? {
            continue;
        }
        loop {
            state.handle(&event::read()?)?;
            if state.has_quit() || !event::poll(Duration::ZERO)? {
                break;
            }
        }
        drawn = None;
    }
    Ok(())
}
