//! Panics that a test asks for. Without the feature `inject-panic`, which no build for users has,
//! there are none.

/// A place where a panic can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// The thread that reads the input has read a line.
    Reader,
    /// The session begins to carry out a command.
    Session,
    /// A search has its answer and is about to report it.
    Answer,
}

/// Panics if that is asked for: `TAMARIN_PANIC_AT=session:3` asks for it the third time that the
/// session comes here.
#[cfg(feature = "inject-panic")]
pub fn pass(site: Site) {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static PASSED: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];
    let (name, passed) = match site {
        Site::Reader => ("reader", &PASSED[0]),
        Site::Session => ("session", &PASSED[1]),
        Site::Answer => ("answer", &PASSED[2]),
    };
    let times = passed.fetch_add(1, Ordering::Relaxed) + 1;
    let asked = std::env::var("TAMARIN_PANIC_AT");
    assert!(asked.as_deref() != Ok(&format!("{name}:{times}")), "injected");
}

/// No panic can be asked for in this build.
#[cfg(not(feature = "inject-panic"))]
pub const fn pass(_: Site) {}
