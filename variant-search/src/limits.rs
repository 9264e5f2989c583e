//! When a search has to end, and how it is told from outside.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use parking_lot::{Condvar, Mutex};
use tamarin_search::{Clock, GameTime, Millis, TimeLimits, Wait};
use tamarin_variant::Move;

/// Everything that can end a search; the limit reached first wins. Without any, the search goes on
/// to the greatest depth there is.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together; exact with one thread, unless the first root move of the first
    /// iteration is not done by then: it may take up to 10,000 nodes.
    pub nodes: Option<u64>,
    /// Time for this move, out of which the move overhead is taken.
    pub move_time: Option<Millis>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Ends the search once a win in so many moves is proven.
    pub mate: Option<u32>,
    /// The root moves to look at; those that are not legal are ignored. Empty means all.
    pub search_moves: Vec<Move>,
    /// What the clock does not say: the time that a move costs beyond the search.
    pub overhead: Millis,
}

impl Limits {
    /// Only a depth, in plies.
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Only a time.
    pub fn move_time(milliseconds: u64) -> Self {
        Self { move_time: Some(Millis::new(milliseconds)), ..Self::default() }
    }

    pub(crate) fn time(&self, fullmove: u32) -> TimeLimits {
        let fullmove = u16::try_from(fullmove).unwrap_or(u16::MAX);
        let game = GameTime { fullmove, overhead: self.overhead, ponder: false };
        TimeLimits::for_any_game(self.clock, self.move_time, game)
    }
}

/// Tells a running search from another thread that it has to stop, or that the move it ponders on
/// was played. New signals are needed for every search.
#[derive(Debug)]
pub struct Signals {
    begin: Instant,
    stop: AtomicBool,
    /// Milliseconds from the beginning to the ponder hit; [`PONDERING`] before it.
    clock_start: AtomicU64,
    /// Whether the answer may be given: always, or after a stop or a ponder hit.
    may_answer: Mutex<bool>,
    may_answer_changed: Condvar,
}

const PONDERING: u64 = u64::MAX;

impl Default for Signals {
    fn default() -> Self {
        Self::new(Wait::No)
    }
}

impl Signals {
    /// The signals of a search that starts now. With [`Wait::Ponder`] it is a search in the
    /// opponent's time: clocks start at the ponder hit.
    pub fn new(wait: Wait) -> Self {
        let clock_start = if wait == Wait::Ponder { PONDERING } else { 0 };
        Self {
            begin: Instant::now(),
            stop: AtomicBool::new(false),
            clock_start: AtomicU64::new(clock_start),
            may_answer: Mutex::new(wait == Wait::No),
            may_answer_changed: Condvar::new(),
        }
    }

    /// Ends the search as soon as possible.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.allow_answer();
    }

    /// Starts the clocks, if the search is pondering.
    pub fn ponder_hit(&self) {
        if self.clock_start.load(Ordering::Relaxed) == PONDERING {
            self.clock_start.store(self.elapsed().get(), Ordering::Relaxed);
            self.allow_answer();
        }
    }

    fn allow_answer(&self) {
        *self.may_answer.lock() = true;
        self.may_answer_changed.notify_all();
    }

    /// Blocks until the answer may be given: with [`Wait::UntilStop`] after a stop, with
    /// [`Wait::Ponder`] after a stop or the ponder hit. The search itself does not wait.
    pub fn wait_until_answer_allowed(&self) {
        let mut may_answer = self.may_answer.lock();
        while !*may_answer {
            self.may_answer_changed.wait(&mut may_answer);
        }
    }

    /// Whether the search has been told to stop.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Time since the signals were made.
    pub fn elapsed(&self) -> Millis {
        Millis::new(u64::try_from(self.begin.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// Time on the clock; nothing while pondering.
    pub(crate) fn clock(&self) -> Millis {
        match self.clock_start.load(Ordering::Relaxed) {
            PONDERING => Millis::ZERO,
            start => self.elapsed().minus(Millis::new(start)),
        }
    }
}
