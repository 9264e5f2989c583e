//! Memory for large tables: zeroed by the system, on huge pages, and prefetched; and what there is
//! of memory for everything else.

mod available;
#[cfg(any(test, not(unix)))]
mod heap;
mod raw;

pub use available::{available, can_map, has_reserve};
#[cfg(not(unix))]
pub use heap::ZeroedHeap as Zeroed;
#[cfg(unix)]
pub use raw::ZeroedPages as Zeroed;
pub use raw::{CACHE_LINE, configure_heap, prefetch};

#[cfg(test)]
mod tests;
