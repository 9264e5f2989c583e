//! What becomes of panics: each is caught where it costs least, and none stays hidden, for the exit
//! status of the process is 1 after any of them.

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether any thread has panicked.
static SEEN: AtomicBool = AtomicBool::new(false);

/// Runs a program. Its exit status is what `program` returns, and 1 after a panic in any thread,
/// caught or not. The message of a panic goes to standard error.
#[must_use]
pub fn guard(program: impl FnOnce() -> ExitCode) -> ExitCode {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        SEEN.store(true, Ordering::Relaxed);
        print(panic);
    }));
    let ended = panic::catch_unwind(AssertUnwindSafe(program));
    ended.ok().filter(|_| !seen()).unwrap_or(ExitCode::FAILURE)
}

/// Returns `true` if any thread has panicked since [`guard`] began.
pub fn seen() -> bool {
    SEEN.load(Ordering::Relaxed)
}
