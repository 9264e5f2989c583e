//! Threads that are started once and sleep until they are given a task.

use core::ops::ControlFlow;

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
