//! Stopping a run from outside, and its progress.

use core::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use crossbeam_utils::CachePadded;

/// Stops a run from another thread and reports how far it is.
#[derive(Default)]
pub struct Control {
    stop: AtomicBool,
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
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
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
