//! Memory for large tables: zeroed by the system, on huge pages, and prefetched.

mod available;
#[cfg(any(test, not(unix)))]
mod heap;
mod raw;

pub use available::available;
#[cfg(not(unix))]
pub use heap::ZeroedHeap as Zeroed;
#[cfg(unix)]
pub use raw::ZeroedPages as Zeroed;
pub use raw::{CACHE_LINE, prefetch};

#[cfg(test)]
mod tests;
