//! The signals that reach a running search from other threads: stop and ponder hit.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use parking_lot::{Condvar, Mutex};

use crate::limits::{Millis, Wait};

/// The signals of one search, and its clock.
pub(crate) struct Signals {
    /// The threads have to end their work.
    stop: AtomicBool,
    pondering: AtomicBool,
    /// When the ponder hit came, in milliseconds after the start.
    ponder_hit: AtomicU64,
    started: Instant,
    /// Whether the search may answer: always, or after a stop or a ponder hit.
    may_answer: Mutex<bool>,
    may_answer_changed: Condvar,
    finished: AtomicBool,
}

impl Signals {
    /// The signals of a search that starts now.
    pub fn new(wait: Wait) -> Self {
        Self {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(wait == Wait::Ponder),
            ponder_hit: AtomicU64::new(0),
            started: Instant::now(),
            may_answer: Mutex::new(wait == Wait::No),
            may_answer_changed: Condvar::new(),
            finished: AtomicBool::new(false),
        }
    }

    /// The user wants the answer now.
    pub fn stop(&self) {
        self.stop_threads();
        self.allow_answer();
    }

    /// The opponent played the expected move: the clock of this search starts.
    pub fn ponder_hit(&self) {
        if self.pondering.load(Ordering::Relaxed) {
            self.ponder_hit.store(self.elapsed().get(), Ordering::Relaxed);
            // Release: a thread that sees the end of pondering also sees its time.
            self.pondering.store(false, Ordering::Release);
            self.allow_answer();
        }
    }

    fn allow_answer(&self) {
        *self.may_answer.lock() = true;
        self.may_answer_changed.notify_all();
    }

    /// Ends the work of all threads. An infinite or pondering search still waits with its
    /// answer.
    pub fn stop_threads(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the threads have to end their work.
    #[inline]
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// When the clock of this search started, after the search itself; `None` while the
    /// opponent's is running.
    pub fn clock_start(&self) -> Option<Millis> {
        if self.pondering.load(Ordering::Acquire) {
            return None;
        }
        Some(Millis::new(self.ponder_hit.load(Ordering::Relaxed)))
    }

    /// Blocks until the search may answer.
    pub fn wait_until_answer_allowed(&self) {
        let mut may_answer = self.may_answer.lock();
        while !*may_answer {
            self.may_answer_changed.wait(&mut may_answer);
        }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Millis {
        Millis::new(u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// The search has given its answer.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Release);
    }

    /// Whether the search has given its answer.
    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }
}
