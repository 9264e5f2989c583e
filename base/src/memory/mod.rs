//! Memory for large tables: zeroed by the system, on huge pages, and prefetched.

mod available;
#[cfg(any(test, not(unix)))]
mod heap;
mod raw;

pub(crate) use available::available;
#[cfg(not(unix))]
pub(crate) use heap::ZeroedHeap as Zeroed;
#[cfg(unix)]
pub(crate) use raw::ZeroedPages as Zeroed;
pub(crate) use raw::{CACHE_LINE, prefetch};

#[cfg(test)]
mod tests;
