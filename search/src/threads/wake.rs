//! What sleeping threads are given to do, and how they are woken for a search.

use core::cell::Cell;
use std::sync::Arc;

use tamarin_eval::network::AccumulatorStack;

use crate::threads::shared::SharedState;
use crate::tt::TranspositionTable;

/// Where a thread of the search sleeps.
pub(crate) type TaskSlot = tamarin_base::TaskSlot<Task>;

/// The threads of a search.
pub(crate) type ThreadTree = tamarin_base::ThreadTree<Task>;

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
        self.tree.wake_children(self.index, &self.shared.signals, &self.shared.helpers, || {
            Task::Search { shared: Arc::clone(self.shared), tree: Arc::clone(self.tree) }
        });
    }
}
