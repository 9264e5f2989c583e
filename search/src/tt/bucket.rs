//! The memory of the table: buckets of entries that readers and writers share without locks.

use core::sync::atomic::{AtomicU64, Ordering};

use super::entry::PackedEntry;
use crate::memory::{CACHE_LINE, Zeroed};

/// Entries of a bucket: as many as fit a cache line.
pub(super) const BUCKET_SIZE: usize = 4;

/// Room for an entry: two relaxed atomic words, without locks and without `unsafe`.
///
/// The key is stored combined with the data by exclusive or. A reader that meets half of one
/// write and half of another finds a key that is not its own, and ignores the entry.
///
/// Source: Hyatt and Mann, "A lock-less transposition table implementation for parallel
/// search", 2002.
#[derive(bytemuck::Zeroable)]
#[repr(C)]
pub(super) struct Slot {
    /// The key, exclusive-or'ed with `data`.
    check: AtomicU64,
    /// A [`PackedEntry`]; zero if there is none.
    data: AtomicU64,
}

impl Slot {
    /// The entry and the key it was written for.
    #[inline]
    pub fn load(&self) -> (u64, PackedEntry) {
        let data = self.data.load(Ordering::Relaxed);
        (self.check.load(Ordering::Relaxed) ^ data, PackedEntry(data))
    }

    #[inline]
    pub fn store(&self, key: u64, entry: PackedEntry) {
        self.check.store(key ^ entry.0, Ordering::Relaxed);
        self.data.store(entry.0, Ordering::Relaxed);
    }

    pub fn clear(&self) {
        self.check.store(0, Ordering::Relaxed);
        self.data.store(0, Ordering::Relaxed);
    }

    /// The two words as they are, for tests of half-finished writes.
    #[cfg(test)]
    pub fn words(&self) -> [&AtomicU64; 2] {
        [&self.check, &self.data]
    }
}

/// The slots of one cache line: a position's entry is in the bucket of its key.
pub(super) type Bucket = [Slot; BUCKET_SIZE];

const _: () = assert!(size_of::<Bucket>() == CACHE_LINE);

/// The buckets of a table, each on a cache line of its own.
pub(super) struct Buckets(Zeroed<Slot>);

impl Buckets {
    /// So many empty buckets, or `None` if there is no memory for them.
    pub fn new(count: usize) -> Option<Self> {
        Some(Self(Zeroed::new(count.checked_mul(BUCKET_SIZE)?)?))
    }

    /// All of them.
    #[inline]
    pub fn as_slice(&self) -> &[Bucket] {
        self.0.as_slice().as_chunks().0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buckets_are_on_cache_lines_and_as_many_as_asked_for() {
        for count in [1, 2, 3, 1000, 1 << 16] {
            let buckets = Buckets::new(count).unwrap();
            assert_eq!(buckets.as_slice().len(), count);
            assert_eq!(buckets.as_slice().as_ptr() as usize % CACHE_LINE, 0);
        }
        assert!(Buckets::new(usize::MAX / 2).is_none());
        assert!(Buckets::new(usize::MAX / 64).is_none());
    }
}
