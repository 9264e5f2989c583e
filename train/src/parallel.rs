//! How many threads work, and work shared among them.

use core::marker::PhantomData;
use core::ops::Range;
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::thread::{self, Builder, ScopedJoinHandle};

use parking_lot::Mutex;

use crate::error::{Context, Result, TrainError};

/// The number of threads asked for, or one for every core.
pub fn thread_count(threads: Option<NonZeroUsize>) -> usize {
    threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// Numbered tasks such as games, and what comes of them.
pub trait Tasks: Send {
    type Task: Send;
    type Done: Send;

    /// The next task; `None` if there are no more.
    fn next(&mut self) -> Result<Option<Self::Task>>;

    /// Takes in what came of a task.
    fn take(&mut self, task: Self::Task, done: Self::Done) -> Result<()>;
}

/// Lets each worker, in a thread of its own, `work` on one task after the other, until there are no
/// more. After a failure none begins and nothing more is taken in.
pub fn work_off<T: Tasks, W: Send>(
    tasks: T,
    workers: impl IntoIterator<Item = W>,
    work: impl Fn(&mut W, &mut T::Task) -> Result<T::Done> + Sync,
) -> (T, Result<()>) {
    let shared = Mutex::new((tasks, Ok(())));
    thread::scope(|scope| {
        for mut worker in workers {
            let (shared, work) = (&shared, &work);
            let run = move || {
                loop {
                    let next = next(&mut shared.lock());
                    let Some(mut task) = next else { return };
                    let done = work(&mut worker, &mut task);
                    let (tasks, state) = &mut *shared.lock();
                    if state.is_ok() {
                        *state = done.and_then(|done| tasks.take(task, done));
                    }
                }
            };
            let spawned = Builder::new().spawn_scoped(scope, run);
            if let Err(error) = spawned.context("a thread does not start") {
                let state = &mut shared.lock().1;
                *state = core::mem::replace(state, Ok(())).and(Err(error));
            }
        }
    });
    shared.into_inner()
}

/// The next task, unless something has failed.
fn next<T: Tasks>((tasks, state): &mut (T, Result<(), TrainError>)) -> Option<T::Task> {
    if state.is_err() {
        return None;
    }
    tasks.next().unwrap_or_else(|error| {
        *state = Err(error);
        None
    })
}

/// The same with the numbers below `count` as tasks.
pub fn work_off_numbers<W: Send, R: Send>(
    count: usize,
    workers: impl IntoIterator<Item = W>,
    work: impl Fn(&mut W, usize) -> Result<R> + Sync,
    take: impl FnMut(usize, R) -> Result<()> + Send,
) -> Result<()> {
    let numbers = Numbers { left: 0..count, take, done: PhantomData };
    work_off(numbers, workers, |worker, &mut number| work(worker, number)).1
}

struct Numbers<F, R> {
    left: Range<usize>,
    take: F,
    done: PhantomData<R>,
}

impl<R: Send, F: FnMut(usize, R) -> Result<()> + Send> Tasks for Numbers<F, R> {
    type Task = usize;
    type Done = R;

    fn next(&mut self) -> Result<Option<usize>> {
        Ok(self.left.next())
    }

    fn take(&mut self, number: usize, done: R) -> Result<()> {
        (self.take)(number, done)
    }
}

/// Hands each of `threads` threads, at least one, its chunk of the items; returns what they make
/// of them, in order, so that a run can be repeated exactly.
///
/// # Panics
/// If `work` does.
pub fn map_chunks<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let size = items.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> =
            items.chunks(size).map(|chunk| scope.spawn(move || work(chunk))).collect();
        let joined = workers.into_iter().map(ScopedJoinHandle::join);
        joined.map(|made| made.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    })
}
