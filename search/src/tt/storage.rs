//! The memory of a table: buckets on cache lines, from pages the system has not filled yet.

use core::mem::size_of;

use super::{BUCKET, Bucket, Slot};
use crate::hints;

/// Bytes a cache line has.
const LINE: usize = 64;

const _: () = assert!(size_of::<Bucket>() == LINE);

/// Empty buckets, each on a cache line of its own.
///
/// The allocator is asked for no more than the alignment of a slot: for that, it takes
/// fresh zeros from the system, which cost nothing before they are used. With the
/// alignment of a line it would write the zeros itself, all by this thread.
pub(super) struct Storage {
    slots: Box<[Slot]>,
    /// Slots before the first line.
    skipped: usize,
}

impl Storage {
    /// Room for so many buckets, or `None` if the memory is not to be had.
    pub fn new(count: usize) -> Option<Self> {
        let slots = count.checked_mul(BUCKET)?.checked_add(BUCKET - 1)?;
        let slots: Box<[Slot]> = bytemuck::allocation::try_zeroed_slice_box(slots).ok()?;
        hints::use_large_pages(&*slots);
        let skipped = slots.as_ptr().align_offset(LINE).min(BUCKET - 1);
        Some(Self { slots, skipped })
    }

    /// The buckets.
    #[inline]
    pub fn buckets(&self) -> &[Bucket] {
        self.slots[self.skipped..].as_chunks().0
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
            assert_eq!(storage.buckets().as_ptr() as usize % LINE, 0);
        }
        assert!(Storage::new(usize::MAX / 2).is_none());
        assert!(Storage::new(usize::MAX / 64).is_none());
    }
}
