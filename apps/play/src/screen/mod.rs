//! The full-screen mode: cursor keys, mouse, and the same commands as line by line.

mod app;
mod board;
mod draw;
mod keys;
pub mod new_game;
pub mod text;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, KeyEvent, KeyModifiers,
};
use ratatui::crossterm::execute;
use tamarin_base::process::shutdown;

use super::begin::Failure;
use super::session::Session;
use super::text_board::Colors;
use app::App;

/// How often clocks are looked at, and how often the screen is drawn if nothing happens.
const TICK: Duration = Duration::from_millis(50);

/// How often a search is looked at: the engine's clock runs until its move is taken.
const POLL: Duration = Duration::from_millis(4);

/// Plays until the player leaves.
pub fn run(session: Session, colors: Colors) -> Result<(), Failure> {
    let mut app = App::new(session, colors);
    with_terminal(|terminal, end| play(terminal, &mut app, end))?;
    if let Some(course) = app.session.course() {
        println_quietly(&course.summary());
    }
    if app.session.is_kept() {
        println_quietly("The game is kept: tamarin play --resume goes on with it.");
    }
    Ok(())
}

fn play(terminal: &mut DefaultTerminal, app: &mut App, end: &AtomicBool) -> Result<(), Failure> {
    let mut drawn: Option<Instant> = None;
    while !app.has_quit && !end.load(Ordering::Relaxed) {
        let messages = app.session.advance(Instant::now())?;
        let is_due = !messages.is_empty() || drawn.is_none_or(|at| at.elapsed() >= TICK);
        app.hear(messages);
        if is_due {
            terminal.draw(|frame| draw::draw(frame, app))?;
            drawn = Some(Instant::now());
        }
        let wait = if app.session.waits_for_human() { TICK } else { POLL };
        if !event::poll(wait)? {
            continue;
        }
        // All that has come in is dealt with before the next picture.
        loop {
            keys::handle(app, &event::read()?)?;
            if app.has_quit || !event::poll(Duration::ZERO)? {
                break;
            }
        }
        drawn = None;
    }
    Ok(())
}

/// If standard output is closed there is nobody to tell.
fn println_quietly(line: &str) {
    use std::io::Write;
    let _ = writeln!(io::stdout(), "{line}");
}

/// Returns `true` for a key with Ctrl. With Alt as well it is AltGr of Windows, which types what
/// the key says.
const fn is_command(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && !key.modifiers.contains(KeyModifiers::ALT)
}

/// Calls `play` with the whole terminal, the mouse included, and a flag that a signal to end sets.
fn with_terminal(
    play: impl FnOnce(&mut DefaultTerminal, &AtomicBool) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let asked_to_end = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&asked_to_end);
    shutdown::on_signal(Arc::default(), move || {
        flag.store(true, Ordering::Relaxed);
        // A terminal that has gone away is never done being read.
        shutdown::exit_after(shutdown::QUIT_GRACE);
    });
    // Also restores the terminal if the program panics.
    let mut terminal = ratatui::try_init()?;
    let played = execute!(io::stdout(), EnableMouseCapture)
        .map_err(Failure::from)
        .and_then(|()| play(&mut terminal, &asked_to_end));
    // Whatever fails now, the terminal is as usable as it can be.
    let _ = execute!(io::stdout(), DisableMouseCapture);
    ratatui::restore();
    played
}
