//! How many threads work, and work shared among them.

use std::num::NonZeroUsize;
use std::thread::{self, Builder, Scope};

use tamarin_search::{SEARCH_STACK, StartError, ThreadsError};

/// The number of threads asked for, or one for every core.
pub(crate) fn thread_count(threads: Option<NonZeroUsize>) -> usize {
    threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}

/// Starts a thread that has the stack of a search.
pub(crate) fn spawn_searching<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> Result<(), StartError> {
    // What plays a game beside its searches takes little.
    let builder = Builder::new().stack_size(SEARCH_STACK + (1 << 20));
    let started = builder.spawn_scoped(scope, work);
    let refused = |source| ThreadsError::Spawn { wanted: 1, kept: 0, source };
    started.map(|_| ()).map_err(|source| refused(source).into())
}

/// Hands each of `threads` threads, at least one, its chunk of the items; returns what they make
/// of them, in order, so that a run can be repeated exactly.
///
/// # Panics
/// If `work` does.
pub(crate) fn map_chunks<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&[T]) -> R + Sync,
) -> Vec<R> {
    let size = items.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> =
            items.chunks(size).map(|chunk| scope.spawn(move || work(chunk))).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, R>| {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().map(join).collect()
    })
}
