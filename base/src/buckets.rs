//! The memory of a transposition table: buckets of entries that readers and writers share without
//! locks. What the 64 bits of an entry mean is the table's own affair.

use core::fmt;

use crate::memory::{CACHE_LINE, Zeroed};
use crate::slot::Slot;

/// Entries of a bucket: as many as fit a cache line.
pub const BUCKET_SIZE: usize = 4;

/// The slots of one cache line: a position's entry is in the bucket of its key.
pub type Bucket = [Slot; BUCKET_SIZE];

const _: () = assert!(size_of::<Bucket>() == CACHE_LINE);

/// The buckets of a table, each on a cache line of its own.
pub struct Buckets(Zeroed<Slot>);

impl Buckets {
    /// So many empty buckets, or `None` if there is no memory for them or the count is 0.
    pub fn new(count: usize) -> Option<Self> {
        if count == 0 {
            return None;
        }
        Some(Self(Zeroed::new(count.checked_mul(BUCKET_SIZE)?)?))
    }

    /// All of them.
    pub fn as_slice(&self) -> &[Bucket] {
        self.0.as_slice().as_chunks().0
    }

    /// The bucket of a key. The high half of a product is below the number of buckets, so any
    /// number but 0 works and no division is needed.
    #[inline]
    pub fn of(&self, key: u64) -> &Bucket {
        let buckets = self.as_slice();
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        &buckets[index as usize]
    }
}

impl fmt::Debug for Buckets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buckets({})", self.as_slice().len())
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
        assert!(Buckets::new(0).is_none());
        assert!(Buckets::new(usize::MAX / 2).is_none());
        assert!(Buckets::new(usize::MAX / 64).is_none());
    }

    #[test]
    fn keys_are_spread_over_all_buckets() {
        let buckets = Buckets::new(4).unwrap();
        for (index, bucket) in buckets.as_slice().iter().enumerate() {
            for key in [(index as u64) << 62, (index as u64) << 62 | ((1 << 62) - 1)] {
                assert!(core::ptr::eq(buckets.of(key), bucket), "{key:x}");
            }
        }
    }
}
