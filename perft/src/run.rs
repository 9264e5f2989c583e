//! Counting with several threads: how deep, how far it is, and how it is stopped.

use core::fmt;
use core::num::NonZeroUsize;
use core::str::FromStr;
use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::collections::VecDeque;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, ScopedJoinHandle};

use crossbeam_utils::CachePadded;
use tamarin_movegen::{Board, Move};

use crate::cache::Cache;
use crate::count::{Counter, LastPlies};

/// A number of plies to count, 1 to [`Depth::MAX`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Depth(u8);

impl Depth {
    /// The greatest depth, in plies.
    ///
    /// Far beyond what opening positions allow, but within reach of the cache in
    /// endgames of few pieces. Counts stop at `u128::MAX`: see [`crate::Outcome::nodes`].
    pub const MAX: u8 = 20;

    /// The depth of `plies` plies, if it is 1 to [`Depth::MAX`].
    pub const fn new(plies: u8) -> Option<Self> {
        if plies >= 1 && plies <= Self::MAX { Some(Self(plies)) } else { None }
    }

    /// The number of plies.
    pub const fn plies(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The text is not a depth.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is not a depth: a whole number from 1 to {} is needed", Depth::MAX)]
pub struct DepthError {
    text: String,
}

impl FromStr for Depth {
    type Err = DepthError;

    fn from_str(text: &str) -> Result<Self, DepthError> {
        text.parse().ok().and_then(Self::new).ok_or_else(|| DepthError { text: text.to_owned() })
    }
}

/// Stops a run from another thread and reports how far it is.
#[derive(Default)]
pub struct Control {
    stop: Arc<AtomicBool>,
    nodes: CachePadded<AtomicU64>,
    tasks_done: AtomicUsize,
    tasks: AtomicUsize,
}

/// How far a run is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Progress {
    /// Leaf nodes counted so far, a little late.
    pub nodes: u64,
    /// Subtrees done.
    pub done: usize,
    /// Subtrees in all; 0 before the run has started.
    pub total: usize,
}

impl Control {
    /// A control that lets the run go on.
    pub fn new() -> Self {
        Self::default()
    }

    /// A control whose runs end once the flag is set.
    pub fn stopped_by(stop: Arc<AtomicBool>) -> Self {
        Self { stop, ..Self::default() }
    }

    /// Makes the present run and all later ones end within milliseconds.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if [`Control::stop`] has been called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// How far the present run is.
    pub fn progress(&self) -> Progress {
        Progress {
            nodes: self.nodes.load(Ordering::Relaxed),
            done: self.tasks_done.load(Ordering::Relaxed),
            total: self.tasks.load(Ordering::Relaxed),
        }
    }

    /// Adds counted nodes to the progress.
    pub(crate) fn add_nodes(&self, nodes: u64) {
        // With the cache counts may go beyond 64 bits, of which the progress shows no more.
        let add = |sum: u64| Some(sum.saturating_add(nodes));
        let _ = self.nodes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add);
    }

    /// Adds a finished subtree to the progress.
    pub(crate) fn finish_task(&self) {
        self.tasks_done.fetch_add(1, Ordering::Relaxed);
    }

    /// Sets the progress to none of `tasks` subtrees.
    pub(crate) fn start(&self, tasks: usize) {
        self.nodes.store(0, Ordering::Relaxed);
        self.tasks_done.store(0, Ordering::Relaxed);
        self.tasks.store(tasks, Ordering::Relaxed);
    }
}

/// How to count.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// How many threads count at once, the caller's included.
    pub threads: NonZeroUsize,
    /// The cache of subtree counts; `None` counts every node.
    pub cache: Option<&'a Cache>,
    /// How the last two plies are counted.
    pub last_plies: LastPlies,
}

impl Default for Options<'_> {
    /// One thread, no cache, by differences.
    fn default() -> Self {
        let last_plies = LastPlies::default();
        Self { threads: NonZeroUsize::MIN, cache: None, last_plies }
    }
}

/// A count has more than 128 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the count does not fit 128 bits at depth {0}")]
pub struct Overflow(pub Depth);

/// What a run found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Every legal move of the position with the count behind it, in generation order.
    pub divide: Vec<(Move, u128)>,
    /// Whether every node was counted. If not, the run was stopped and the counts are what
    /// had been reached.
    pub complete: bool,
}

impl Outcome {
    /// The whole count; `u128::MAX` if it is that or more.
    pub fn nodes(&self) -> u128 {
        self.divide.iter().fold(0, |sum, &(_, nodes)| sum.saturating_add(nodes))
    }

    /// The whole count of a run of this depth.
    ///
    /// # Errors
    /// If [`Self::nodes`] cannot tell it from a larger one.
    pub fn exact_nodes(&self, depth: Depth) -> Result<u128, Overflow> {
        match self.nodes() {
            u128::MAX => Err(Overflow(depth)),
            nodes => Ok(nodes),
        }
    }
}

/// A subtree that one thread counts at a stretch.
struct Task {
    board: Board,
    depth: u8,
    /// Index of the move of the root it lies behind.
    root: usize,
}

/// Counts the sequences of `depth` legal moves from `board`.
///
/// The calling thread counts too. The work is split into subtrees beforehand and
/// each thread takes the next one when it is done with its last; if fewer threads
/// can be started than asked for, the others do their work.
pub fn run(board: &Board, depth: Depth, options: &Options<'_>, control: &Control) -> Outcome {
    let moves = board.legal_moves();
    let tasks = split(board, &moves, depth, options.threads);
    control.start(tasks.len());
    if let Some(cache) = options.cache {
        cache.start_run();
    }
    let next = AtomicUsize::new(0);
    let cut_short = AtomicBool::new(false);
    let work = || {
        let mut counts = vec![0u128; moves.len()];
        let mut counter = Counter::new(options, control);
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let nodes = counter.count(&task.board, task.depth);
            counts[task.root] = counts[task.root].saturating_add(nodes);
            if counter.cut_short {
                cut_short.store(true, Ordering::Relaxed);
                break;
            }
            control.finish_task();
        }
        counter.finish();
        counts
    };
    let mut divide: Vec<(Move, u128)> = moves.iter().map(|&mv| (mv, 0)).collect();
    let threads = if depth.plies() < LEAST_SHARED_DEPTH { 1 } else { options.threads.get() };
    for counts in on_threads(threads.min(tasks.len()), work) {
        for ((_, sum), nodes) in divide.iter_mut().zip(counts) {
            *sum = sum.saturating_add(nodes);
        }
    }
    Outcome { divide, complete: !cut_short.into_inner() }
}

/// Does `work` on so many threads, this one included, or on as many as can be started.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let helpers: Vec<_> = (1..threads)
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, &work).ok())
            .collect();
        let own = work();
        // A panic of a helper goes on in the caller.
        let join = |helper: ScopedJoinHandle<'_, T>| {
            helper.join().unwrap_or_else(|panic| resume_unwind(panic))
        };
        [own].into_iter().chain(helpers.into_iter().map(join)).collect()
    })
}

/// Subtrees a thread: the last one to end keeps the others waiting for at most about
/// a hundredth of the whole.
const TASKS_PER_THREAD: usize = 256;

/// Subtrees are not split below this depth, in plies: a few microseconds of work.
const LEAST_TASK_DEPTH: u8 = 2;

/// Counts of fewer plies are done before a second thread has started.
const LEAST_SHARED_DEPTH: u8 = 5;

/// Splits the tree into subtrees, the largest first, level by level.
fn split(board: &Board, moves: &[Move], depth: Depth, threads: NonZeroUsize) -> Vec<Task> {
    let mut tasks: VecDeque<Task> = moves
        .iter()
        .enumerate()
        .map(|(root, &mv)| Task { board: board.play(mv), depth: depth.plies() - 1, root })
        .collect();
    while tasks.len() < threads.get() * TASKS_PER_THREAD
        && let Some(task) = tasks.pop_front_if(|task| task.depth > LEAST_TASK_DEPTH)
    {
        task.board.for_each_child(|&board| {
            tasks.push_back(Task { board, depth: task.depth - 1, root: task.root });
        });
    }
    tasks.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_to_max_are_depths() {
        assert_eq!("1".parse(), Ok(Depth(1)));
        assert_eq!("20".parse(), Ok(Depth(Depth::MAX)));
        for text in ["0", "21", "99", "256", "-1", "", "abc", "1.5", "999999999999999999999"] {
            let error = text.parse::<Depth>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("{text:?} is not a depth")), "{error}");
        }
    }
}
