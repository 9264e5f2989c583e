//! The terminal as a whole: taken for a program, and given back as it was.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture, KeyEvent, KeyModifiers};
use ratatui::crossterm::execute;

use crate::begin::Failure;
use tamarin_base::process::shutdown;

/// Returns `true` for a key with Ctrl. With Alt as well it is AltGr of Windows, which types what
/// the key says.
pub const fn is_command(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL) && !key.modifiers.contains(KeyModifiers::ALT)
}

/// Calls `play` with the whole terminal, the mouse included, and a flag that a signal to end sets.
pub fn with(
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
