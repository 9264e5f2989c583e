//! The memory of a table: buckets on cache lines.

use core::mem::size_of;

use super::{BUCKET, Bucket, Slot};
use crate::memory::{CACHE_LINE, Zeroed};

const _: () = assert!(size_of::<Bucket>() == CACHE_LINE);

/// Empty buckets, each on a cache line of its own.
pub(super) struct Storage(Zeroed<Slot>);

impl Storage {
    /// Room for so many buckets, or `None` if the memory is not to be had.
    pub fn new(count: usize) -> Option<Self> {
        Some(Self(Zeroed::new(count.checked_mul(BUCKET)?)?))
    }

    /// The buckets.
    #[inline]
    pub fn buckets(&self) -> &[Bucket] {
        self.0.as_slice().as_chunks().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_on_lines_and_as_many_as_asked_for() {
        for count in [1, 2, 3, 1000, 1 << 16] {
            let storage = Storage::new(count).unwrap();
            assert_eq!(storage.buckets().len(), count);
            assert_eq!(storage.buckets().as_ptr() as usize % CACHE_LINE, 0);
        }
        assert!(Storage::new(usize::MAX / 2).is_none());
        assert!(Storage::new(usize::MAX / 64).is_none());
    }
}
