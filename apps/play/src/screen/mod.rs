//! The full-screen mode: cursor keys, mouse, and the same commands as line by line.

mod app;
mod board;
mod draw;
mod help;
mod keys;
mod new_game;
mod sprites;
mod squares;

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ratatui::DefaultTerminal;
use ratatui::crossterm::event;

use super::begin::Failure;
use super::full_screen;
use super::session::Session;
use super::text_board::Colors;
use app::App;

/// How often clocks and searches are looked at.
const TICK: Duration = Duration::from_millis(50);

/// Plays until the player leaves.
pub fn run(session: Session, colors: Colors) -> Result<(), Failure> {
    let mut app = App::new(session, colors);
    full_screen::with(|terminal, end| play(terminal, &mut app, end))?;
    if let Some(course) = app.session.course() {
        println_quietly(&course.summary());
    }
    if app.session.is_kept() {
        println_quietly("The game is kept: tamarin play --resume goes on with it.");
    }
    Ok(())
}

fn play(terminal: &mut DefaultTerminal, app: &mut App, end: &AtomicBool) -> Result<(), Failure> {
    while !app.has_quit && !end.load(Ordering::Relaxed) {
        let messages = app.session.advance(Instant::now())?;
        app.hear(messages);
        terminal.draw(|frame| draw::draw(frame, app))?;
        if !event::poll(TICK)? {
            continue;
        }
        // All that has come in is dealt with before the next picture.
        loop {
            keys::handle(app, &event::read()?)?;
            if app.has_quit || !event::poll(Duration::ZERO)? {
                break;
            }
        }
    }
    Ok(())
}

/// If standard output is closed there is nobody to tell.
fn println_quietly(line: &str) {
    use std::io::Write;
    let _ = writeln!(io::stdout(), "{line}");
}
