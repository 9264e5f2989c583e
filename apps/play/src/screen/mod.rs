//! The full-screen mode: cursor keys, mouse, and the same commands as line by line.

mod app;
mod board;
mod draw;
mod keys;
mod new_game;
mod sprites;
mod squares;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;

use super::begin::Failure;
use super::session::Session;
use super::text_board::Colors;
use app::App;
use tamarin_base::process::shutdown;

/// How often clocks and searches are looked at.
const TICK: Duration = Duration::from_millis(50);

/// Plays until the player leaves.
///
/// # Errors
/// If the engine cannot be started or the terminal fails.
pub fn run(session: Session, colors: Colors) -> Result<(), Failure> {
    let asked_to_end = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&asked_to_end);
    shutdown::on_signal(Arc::default(), move || {
        flag.store(true, Ordering::Relaxed);
        // A terminal that has gone away is never done being read. The game is kept already.
        shutdown::exit_after(shutdown::QUIT_GRACE);
    });
    // Also restores the terminal if the program panics.
    let mut terminal = ratatui::try_init()?;
    let mut app = App::new(session, colors);
    let played = execute!(io::stdout(), EnableMouseCapture)
        .map_err(Failure::from)
        .and_then(|()| play(&mut terminal, &mut app, &asked_to_end));
    // Whatever fails now, the terminal is as usable as it can be.
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
    played?;
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
