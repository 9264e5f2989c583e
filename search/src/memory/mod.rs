//! Memory for large tables: zeroed and on huge pages, prefetches, how much there is to take.

mod available;
mod raw;
mod zeroed;

pub(crate) use available::available;
pub(crate) use raw::prefetch;
pub(crate) use zeroed::{CACHE_LINE, Zeroed};
