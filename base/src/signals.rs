//! The signals that reach a running search from other threads: stop and ponder hit.

use core::fmt;
use std::sync::Arc;
use std::time::Instant;

use crate::millis::Millis;
use crate::sync::{AtomicBool, AtomicU64, Condvar, Mutex, Ordering};
use crate::time_limits::Wait;

/// The signals of one search, and its clock. Every search needs new ones.
#[derive(Debug)]
pub struct Signals {
    /// The threads have to end their work.
    stop: AtomicBool,
    /// Milliseconds from the beginning of the search to that of its clock; [`PONDERING`] while
    /// the opponent's is running.
    clock_start: AtomicU64,
    /// Nodes of all threads so far.
    nodes: AtomicU64,
    time: TimeSource,
    /// Whether the search may answer: always, or after a stop or a ponder hit.
    may_answer: Mutex<bool>,
    may_answer_changed: Condvar,
    finished: AtomicBool,
}

const PONDERING: u64 = u64::MAX;

/// What says how long a search has been running.
enum TimeSource {
    /// The clock of the system, read when the search began.
    System(Instant),
    /// A function that gives the time since the search began.
    Function(Box<dyn Fn() -> Millis + Send + Sync>),
}

impl fmt::Debug for TimeSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(started) => f.debug_tuple("System").field(started).finish(),
            Self::Function(_) => f.write_str("Function"),
        }
    }
}

impl Default for Signals {
    fn default() -> Self {
        Self::new(Wait::No)
    }
}

impl Signals {
    /// The signals of a search that starts now. With [`Wait::Ponder`] it is a search in the
    /// opponent's time: its clock starts at the ponder hit.
    pub fn new(wait: Wait) -> Self {
        // WebAssembly has no clock: limits of time have no effect there.
        #[cfg(target_family = "wasm")]
        return Self::with_time(wait, || Millis::ZERO);
        #[cfg(not(target_family = "wasm"))]
        Self::with_time_source(wait, TimeSource::System(Instant::now()))
    }

    /// The same with another clock than the system's: `elapsed` returns the time since the search
    /// began. With it a test decides how late it is.
    pub fn with_time(wait: Wait, elapsed: impl Fn() -> Millis + Send + Sync + 'static) -> Self {
        Self::with_time_source(wait, TimeSource::Function(Box::new(elapsed)))
    }

    fn with_time_source(wait: Wait, time: TimeSource) -> Self {
        Self {
            stop: AtomicBool::new(false),
            clock_start: AtomicU64::new(if wait == Wait::Ponder { PONDERING } else { 0 }),
            nodes: AtomicU64::new(0),
            time,
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

    /// The opponent played the expected move: the clock of this search starts. Does nothing unless
    /// the search is pondering.
    pub fn ponder_hit(&self) {
        let now = self.elapsed().get();
        let (order, failed) = (Ordering::Relaxed, Ordering::Relaxed);
        if self.clock_start.compare_exchange(PONDERING, now, order, failed).is_ok() {
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

    /// Returns `true` if the threads have to end their work.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// When the clock of this search started, after the search itself; `None` while the
    /// opponent's is running.
    #[inline]
    pub fn clock_start(&self) -> Option<Millis> {
        match self.clock_start.load(Ordering::Relaxed) {
            PONDERING => None,
            start => Some(Millis::new(start)),
        }
    }

    /// Time on the clock of this search; zero while the opponent's is running.
    pub fn clock(&self) -> Millis {
        self.clock_start().map_or(Millis::ZERO, |start| self.elapsed().minus(start))
    }

    /// Blocks until the search may answer: with [`Wait::UntilStop`] after a stop, with
    /// [`Wait::Ponder`] after a stop or the ponder hit.
    pub fn wait_until_answer_allowed(&self) {
        let mut may_answer = self.may_answer.lock();
        while !*may_answer {
            self.may_answer_changed.wait(&mut may_answer);
        }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Millis {
        match &self.time {
            TimeSource::System(started) => {
                Millis::new(u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX))
            }
            TimeSource::Function(elapsed) => elapsed(),
        }
    }

    /// Tells [`Controls::nodes`] how many nodes all threads have visited.
    pub fn publish_nodes(&self, nodes: u64) {
        self.nodes.store(nodes, Ordering::Relaxed);
    }

    /// The search has given its answer.
    pub fn finish(&self) {
        self.finished.store(true, Ordering::Release);
    }

    /// Returns `true` if the search has given its answer.
    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }
}

/// Steers a search from any thread, also after its end, when it does nothing.
#[derive(Clone, Debug)]
pub struct Controls(Arc<Signals>);

impl From<Arc<Signals>> for Controls {
    fn from(signals: Arc<Signals>) -> Self {
        Self(signals)
    }
}

impl Controls {
    /// Ends the search: it answers as soon as it can.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// The opponent played the expected move: from now on the limits count.
    /// Does nothing unless the search was started with [`Wait::Ponder`].
    pub fn ponder_hit(&self) {
        self.0.ponder_hit();
    }

    /// Nodes of all threads so far, as far as published.
    pub fn nodes(&self) -> u64 {
        self.0.nodes.load(Ordering::Relaxed)
    }

    /// Returns `true` if the search has given its answer.
    pub fn is_finished(&self) -> bool {
        self.0.is_finished()
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Signals whose time is what the second value holds, in milliseconds.
    fn signals(wait: Wait) -> (Signals, Arc<AtomicU64>) {
        let now = Arc::new(AtomicU64::new(0));
        let time = Arc::clone(&now);
        let elapsed = move || Millis::new(time.load(Ordering::Relaxed));
        (Signals::with_time(wait, elapsed), now)
    }

    fn may_answer(signals: &Signals) -> bool {
        *signals.may_answer.lock()
    }

    #[test]
    fn the_clock_starts_with_the_search() {
        for wait in [Wait::No, Wait::UntilStop] {
            let (signals, now) = signals(wait);
            now.store(300, Ordering::Relaxed);
            signals.ponder_hit();
            assert_eq!(signals.clock_start(), Some(Millis::ZERO));
            assert_eq!((signals.clock(), signals.elapsed()), (Millis::new(300), Millis::new(300)));
            assert_eq!(may_answer(&signals), wait == Wait::No, "no ponder hit was waited for");
        }
    }

    #[test]
    fn the_clock_of_a_pondering_search_starts_at_the_first_ponder_hit() {
        let (signals, now) = signals(Wait::Ponder);
        now.store(700, Ordering::Relaxed);
        assert_eq!((signals.clock(), signals.clock_start()), (Millis::ZERO, None));
        assert!(!may_answer(&signals));
        signals.ponder_hit();
        assert!(may_answer(&signals) && !signals.stopped());
        now.store(1000, Ordering::Relaxed);
        signals.ponder_hit();
        assert_eq!(signals.clock_start(), Some(Millis::new(700)));
        assert_eq!((signals.clock(), signals.elapsed()), (Millis::new(300), Millis::new(1000)));
    }

    #[test]
    fn only_a_stop_from_outside_allows_the_answer() {
        for wait in [Wait::UntilStop, Wait::Ponder] {
            let (signals, _) = signals(wait);
            signals.stop_threads();
            assert!(signals.stopped() && !may_answer(&signals));
            signals.stop();
            assert!(signals.stopped() && may_answer(&signals));
            signals.wait_until_answer_allowed();
        }
    }

    #[test]
    fn who_waits_for_permission_is_woken() {
        for signal in [Controls::stop, Controls::ponder_hit] {
            let controls = Controls::from(Arc::new(Signals::new(Wait::Ponder)));
            let waiting = controls.clone();
            let waiter = std::thread::spawn(move || {
                waiting.0.wait_until_answer_allowed();
                waiting.0.finish();
            });
            assert!(!controls.is_finished());
            signal(&controls);
            waiter.join().unwrap();
            assert!(controls.is_finished());
        }
    }
}
