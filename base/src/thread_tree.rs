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
    use core::ops::ControlFlow::{Break, Continue};
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;
    use crate::clock::Wait;
    use crate::task_slot::wait_until_all_idle;

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

    /// A search without positions. The counters are relaxed: what makes them visible is what is
    /// tested.
    struct Search {
        signals: Signals,
        results: HelperResults<usize>,
        woken: AtomicUsize,
    }

    enum Task {
        Search(Arc<Search>, Arc<ThreadTree<Task>>),
        Exit,
    }

    fn serve(index: usize, threads: usize, slot: &TaskSlot<Task>) {
        slot.serve(|task| {
            let Task::Search(search, tree) = task else { return Break(()) };
            let again = || Task::Search(Arc::clone(&search), Arc::clone(&tree));
            tree.wake_children(index, &search.signals, &search.results, again);
            if index > 0 {
                search.results.add(index);
                return Continue(());
            }
            search.signals.wait_until_answer_allowed();
            search.signals.stop_threads();
            let woken = search.results.wait_for(threads - 1);
            search.woken.store(woken.len(), Ordering::Relaxed);
            search.signals.finish();
            Continue(())
        });
    }

    #[test]
    fn a_hundred_searches_of_seven_threads_end_whenever_they_are_stopped() {
        let slots: Vec<Arc<TaskSlot<Task>>> = (0..7).map(|_| Arc::default()).collect();
        let handles: Vec<_> = (slots.iter().cloned().enumerate())
            .map(|(index, slot)| thread::spawn(move || serve(index, 7, &slot)))
            .collect();
        for round in 0..100 {
            let signals = Signals::new(Wait::UntilStop);
            let (results, woken) = (HelperResults::default(), AtomicUsize::new(usize::MAX));
            let search = Arc::new(Search { signals, results, woken });
            let tree = Arc::new(ThreadTree::new(slots.iter().cloned()));
            slots[0].give(Task::Search(Arc::clone(&search), tree));
            // Sooner or later, as it comes.
            (0..round % 5).for_each(|_| thread::yield_now());
            search.signals.stop();
            wait_until_all_idle(slots.iter().map(|slot| &**slot));
            assert!(search.signals.is_finished());
            assert!(search.woken.load(Ordering::Relaxed) <= 6);
        }
        slots.iter().for_each(|slot| slot.give(Task::Exit));
        handles.into_iter().for_each(|handle| handle.join().unwrap());
    }
}
