//! What is known of a write to standard output that has not come to its end.

#[cfg(unix)]
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// Whether a line is being written, and how far: shows when it is not read.
#[derive(Default)]
pub struct Writing {
    /// Odd during a write; grows by two with each part of it that is done.
    steps: AtomicU64,
}

impl Writing {
    /// A write begins, or comes to its end. Only one thread at a time writes.
    pub fn turn(&self) {
        self.steps.fetch_add(1, Ordering::Relaxed);
    }

    /// A part of it is written.
    pub fn progress(&self) {
        self.steps.fetch_add(2, Ordering::Relaxed);
    }

    /// So far; an odd number during a write.
    pub fn steps(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }
}

/// Returns `true` if standard output takes a short text now without waiting for its reader; `false`
/// where that cannot be known.
pub(super) fn has_room() -> bool {
    #[cfg(unix)]
    {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let stdout = io::stdout();
        let mut files = [PollFd::new(&stdout, PollFlags::OUT)];
        // A pipe with room, or one whose end is closed, so that a write fails at once.
        poll(&mut files, Some(&now)).is_ok_and(|ready| ready > 0)
    }
    #[cfg(not(unix))]
    false
}
