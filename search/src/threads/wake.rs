//! How sleeping threads are given tasks, and woken for a search.

use core::cell::Cell;
use core::ops::Range;
use std::sync::Arc;

use parking_lot::{Condvar, Mutex};
use tamarin_eval::network::AccumulatorStack;

use crate::threads::shared::SharedState;
use crate::tt::TranspositionTable;

/// Something for a thread to do.
pub(crate) enum Task {
    /// Take part in a search, and wake others for it.
    Search { shared: Arc<SharedState>, tree: Arc<ThreadTree> },
    /// Evaluate by the network of these accumulators, or by the hand-crafted terms.
    SetNetwork(Option<Box<AccumulatorStack>>),
    /// Forget what was learned in earlier searches.
    ClearData,
    /// Empty a part of the transposition table.
    ClearTable { table: Arc<TranspositionTable>, part: usize, parts: usize },
    /// End the thread.
    Exit,
}

#[derive(Default)]
struct State {
    task: Option<Task>,
    busy: bool,
}

/// Where a thread sleeps until it is given a task, one at a time.
#[derive(Default)]
pub(crate) struct TaskSlot {
    state: Mutex<State>,
    changed: Condvar,
}

impl TaskSlot {
    /// Wakes the thread for a task.
    pub fn give(&self, task: Task) {
        let mut state = self.state.lock();
        debug_assert!(!state.busy, "a thread is given one task at a time");
        *state = State { task: Some(task), busy: true };
        self.changed.notify_all();
    }

    /// Sleeps until there is a task.
    pub fn take(&self) -> Task {
        let mut state = self.state.lock();
        loop {
            if let Some(task) = state.task.take() {
                return task;
            }
            self.changed.wait(&mut state);
        }
    }

    /// The thread has done its task.
    pub fn done(&self) {
        self.state.lock().busy = false;
        self.changed.notify_all();
    }

    /// Blocks until the thread has done its task.
    pub fn wait_until_idle(&self) {
        let mut state = self.state.lock();
        while state.busy {
            self.changed.wait(&mut state);
        }
    }
}

/// All threads as a binary tree, each of which wakes its children: with very many threads
/// no single one could wake all of them soon enough.
pub(crate) struct ThreadTree(Box<[Arc<TaskSlot>]>);

impl ThreadTree {
    /// The tree of these threads, the main thread first.
    pub fn new(threads: impl Iterator<Item = Arc<TaskSlot>>) -> Self {
        Self(threads.collect())
    }

    fn children(&self, index: usize) -> Range<usize> {
        let end = self.0.len();
        (2 * index + 1).min(end)..(2 * index + 3).min(end)
    }

    /// How many threads there are from the given one downwards, itself included.
    fn subtree_size(&self, index: usize) -> usize {
        if index >= self.0.len() {
            return 0;
        }
        1 + self.children(index).map(|child| self.subtree_size(child)).sum::<usize>()
    }
}

/// The threads that one thread has to wake for a search: its children in the tree.
pub(crate) struct Children<'a> {
    shared: &'a Arc<SharedState>,
    tree: &'a Arc<ThreadTree>,
    /// The thread that wakes them.
    index: usize,
    woken: Cell<bool>,
}

impl<'a> Children<'a> {
    /// The children of the thread `index`, asleep.
    pub fn new(shared: &'a Arc<SharedState>, tree: &'a Arc<ThreadTree>, index: usize) -> Self {
        Self { shared, tree, index, woken: Cell::new(false) }
    }

    /// Wakes them, unless that was done, or the search is over already.
    pub fn wake(&self) {
        if self.woken.replace(true) {
            return;
        }
        for child in self.tree.children(self.index) {
            if self.shared.signals.stopped() {
                self.shared.skip_helpers(self.tree.subtree_size(child));
            } else {
                let (shared, tree) = (Arc::clone(self.shared), Arc::clone(self.tree));
                self.tree.0[child].give(Task::Search { shared, tree });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_thread_has_one_parent() {
        for count in 1..40 {
            let tree = ThreadTree::new((0..count).map(|_| Arc::default()));
            assert_eq!(tree.subtree_size(0), count);
            let mut woken: Vec<_> = (0..count).flat_map(|index| tree.children(index)).collect();
            woken.sort_unstable();
            assert_eq!(woken, (1..count).collect::<Vec<_>>());
        }
    }
}
