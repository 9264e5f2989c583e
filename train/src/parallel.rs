//! How many threads work.

use std::num::NonZeroUsize;
use std::thread;

/// The number of threads asked for, or one for every core.
pub(crate) fn thread_count(threads: Option<NonZeroUsize>) -> usize {
    threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}
