//! Counting with several threads.

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::collections::VecDeque;
use std::thread;

use tamarin_movegen::{Board, Move};

use crate::cache::Cache;
use crate::control::Control;
use crate::count::Counter;
use crate::depth::Depth;

/// How to count.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// How many threads count at once, the caller's included.
    pub threads: NonZeroUsize,
    /// The cache of subtree counts; `None` counts every node.
    pub cache: Option<&'a Cache>,
}

impl Default for Options<'_> {
    /// One thread, no cache.
    fn default() -> Self {
        Self { threads: NonZeroUsize::MIN, cache: None }
    }
}

/// A count has more than 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the count does not fit 64 bits at depth {0}")]
pub struct Overflow(pub Depth);

/// What a run found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Every legal move of the position with the count behind it, in generation order.
    pub divide: Vec<(Move, u64)>,
    /// Whether every node was counted. If not, the run was stopped and the counts are what
    /// had been reached.
    pub complete: bool,
}

impl Outcome {
    /// The whole count; `u64::MAX` if it is that or more.
    pub fn nodes(&self) -> u64 {
        self.divide.iter().fold(0, |sum, &(_, nodes)| sum.saturating_add(nodes))
    }

    /// The whole count of a run of this depth.
    ///
    /// # Errors
    /// If [`Self::nodes`] cannot tell it from a larger one.
    pub fn exact_nodes(&self, depth: Depth) -> Result<u64, Overflow> {
        match self.nodes() {
            u64::MAX => Err(Overflow(depth)),
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
        let mut counts = vec![0u64; moves.len()];
        let mut counter = Counter::new(options.cache, control);
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let nodes = counter.count(&task.board, task.depth);
            counts[task.root] = counts[task.root].saturating_add(nodes);
            if counter.is_cut_short() {
                cut_short.store(true, Ordering::Relaxed);
                break;
            }
            control.finish_task();
        }
        counter.finish();
        counts
    };
    let mut divide: Vec<(Move, u64)> = moves.iter().map(|&mv| (mv, 0)).collect();
    let mut add = |counts: Vec<u64>| {
        for ((_, sum), nodes) in divide.iter_mut().zip(counts) {
            *sum = sum.saturating_add(nodes);
        }
    };
    thread::scope(|scope| {
        let threads = if depth.plies() < LEAST_SHARED_DEPTH { 1 } else { options.threads.get() };
        let helpers: Vec<_> = (1..threads.min(tasks.len()))
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        add(work());
        for helper in helpers {
            // A panic of a helper goes on in the caller.
            add(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
    });
    Outcome { divide, complete: !cut_short.into_inner() }
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
