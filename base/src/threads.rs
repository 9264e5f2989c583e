//! The threads of a search: they are started once, sleep until they are given a task, wake each other
//! and leave their results to the main thread.

use core::fmt;
use core::mem;
use core::ops::{ControlFlow, Range};
use std::sync::Arc;

use crate::signals::Signals;
use crate::sync::{Condvar, Mutex};

/// Where a thread sleeps until it is given a task, one at a time.
#[derive(Debug)]
pub struct TaskSlot<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<T> {
    task: Option<T>,
    busy: bool,
}

impl<T> Default for TaskSlot<T> {
    fn default() -> Self {
        Self { state: Mutex::new(State { task: None, busy: false }), changed: Condvar::new() }
    }
}

impl<T> TaskSlot<T> {
    /// Wakes the thread for a task.
    pub fn give(&self, task: T) {
        let mut state = self.state.lock();
        debug_assert!(!state.busy, "a thread is given one task at a time");
        *state = State { task: Some(task), busy: true };
        self.changed.notify_all();
    }

    /// The thread itself: does one task after the other and sleeps between them, until a task
    /// breaks.
    pub fn serve(&self, mut perform: impl FnMut(T) -> ControlFlow<()>) {
        while perform(self.take()).is_continue() {
            self.done();
        }
    }

    /// Sleeps until there is a task.
    fn take(&self) -> T {
        let mut state = self.state.lock();
        loop {
            if let Some(task) = state.task.take() {
                return task;
            }
            self.changed.wait(&mut state);
        }
    }

    /// The thread has done its task.
    fn done(&self) {
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

/// Blocks until all threads are asleep.
///
/// In the order of their numbers: a thread wakes only those after it, so that none can be woken
/// any more once all before it sleep.
pub fn wait_until_all_idle<'a, T: 'a>(slots: impl Iterator<Item = &'a TaskSlot<T>>) {
    slots.for_each(TaskSlot::wait_until_idle);
}

/// The results of the helper threads of one search, in the order they came.
#[derive(Debug)]
pub struct HelperResults<R> {
    state: Mutex<Results<R>>,
    changed: Condvar,
}

#[derive(Debug)]
struct Results<R> {
    results: Vec<R>,
    /// How many helper threads are done or were never woken.
    done: usize,
}

impl<R> Default for HelperResults<R> {
    fn default() -> Self {
        let state = Results { results: Vec::new(), done: 0 };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }
}

impl<R> HelperResults<R> {
    /// Takes the result of a helper thread, which is done.
    pub fn add(&self, result: R) {
        let mut state = self.state.lock();
        state.results.push(result);
        state.done += 1;
        self.changed.notify_all();
    }

    /// So many helper threads were not woken, because the search is over.
    pub fn skip(&self, helpers: usize) {
        self.state.lock().done += helpers;
        self.changed.notify_all();
    }

    /// Blocks until `helpers` helper threads are done, then returns their results.
    pub fn wait_for(&self, helpers: usize) -> Vec<R> {
        let mut state = self.state.lock();
        while state.done < helpers {
            self.changed.wait(&mut state);
        }
        mem::take(&mut state.results)
    }
}

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
