//! Memory for large tables: zeroed by the system, on huge pages, and prefetched; and what there is
//! of memory for everything else.

mod available;
#[cfg(any(test, not(unix)))]
mod heap;
mod raw;
mod reserve;

pub use available::available;
#[cfg(not(unix))]
pub use heap::ZeroedHeap as Zeroed;
#[cfg(unix)]
pub use raw::ZeroedPages as Zeroed;
pub use raw::{CACHE_LINE, configure_heap, prefetch};
pub use reserve::{can_map, has_reserve};

#[cfg(test)]
mod tests;
