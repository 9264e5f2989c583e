//! The order in which the threads of a search wake each other.

use core::fmt;
use core::ops::Range;
use std::sync::Arc;

use crate::helper_results::HelperResults;
use crate::signals::Signals;
use crate::task_slot::TaskSlot;

/// All threads as a binary tree, each of which wakes its children: with very many threads
/// no single one could wake all of them soon enough.
pub struct ThreadTree<T>(Box<[Arc<TaskSlot<T>>]>);

impl<T> ThreadTree<T> {
    /// The tree of these threads, the main thread first.
    pub fn new(threads: impl Iterator<Item = Arc<TaskSlot<T>>>) -> Self {
        Self(threads.collect())
    }

    /// Wakes the children of the thread `index` for a task each. If the search is over already,
    /// they sleep on, and they and those below them count as done in `results`.
    pub fn wake_children<R>(
        &self,
        index: usize,
        signals: &Signals,
        results: &HelperResults<R>,
        task: impl Fn() -> T,
    ) {
        for child in self.children(index) {
            if signals.stopped() {
                results.skip(self.subtree_size(child));
            } else {
                self.0[child].give(task());
            }
        }
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

impl<T> fmt::Debug for ThreadTree<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ThreadTree({})", self.0.len())
    }
}

#[cfg(all(test, not(loom)))]
mod tests {

    use super::*;

    #[test]
    fn each_thread_has_one_parent() {
        for count in 1..40 {
            let tree = ThreadTree::<()>::new((0..count).map(|_| Arc::default()));
            assert_eq!(tree.subtree_size(0), count);
            let mut woken: Vec<_> = (0..count).flat_map(|index| tree.children(index)).collect();
            woken.sort_unstable();
            assert_eq!(woken, (1..count).collect::<Vec<_>>());
        }
    }
}
