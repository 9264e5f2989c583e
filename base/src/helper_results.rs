//! The results of helper threads, which the main thread waits for.

use core::mem;

use crate::sync::{Condvar, Mutex};

/// The results of the helper threads of one search, in the order they came.
#[derive(Debug)]
pub struct HelperResults<R> {
    state: Mutex<State<R>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<R> {
    results: Vec<R>,
    /// How many helper threads are done or were never woken.
    done: usize,
}

impl<R> Default for HelperResults<R> {
    fn default() -> Self {
        let state = State { results: Vec::new(), done: 0 };
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
