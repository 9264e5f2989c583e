//! Memory for tables: zeros that the system has not filled yet, on large pages.

use bytemuck::Zeroable;

use crate::hints;

/// Bytes a cache line has.
pub(crate) const LINE: usize = 64;

/// Bytes a large page has where there are any: x86-64, AArch64 with pages of 4 KiB.
const LARGE_PAGE: usize = 2 << 20;

/// Zeros from the start of a large page on, or of a cache line if they are fewer.
///
/// The system hands them out without touching the memory: what is never used costs address
/// space only. The allocator is asked for no more than the alignment of an element, and for
/// more elements than wanted: with a greater alignment it would write the zeros itself, all
/// by this thread.
pub(crate) struct Zeros<T> {
    elements: Box<[T]>,
    /// Elements before the first that counts.
    skipped: usize,
    count: usize,
}

impl<T: Zeroable> Zeros<T> {
    const SIZE_FITS: () = assert!(size_of::<T>().is_power_of_two() && size_of::<T>() <= LINE);

    /// So many zeros, or `None` if the memory is not to be had.
    pub fn new(count: usize) -> Option<Self> {
        let () = Self::SIZE_FITS;
        let size = size_of::<T>();
        let bytes = count.checked_mul(size)?;
        let alignment = if bytes < LARGE_PAGE { LINE } else { LARGE_PAGE };
        // To the end of the last page, so that it can be a large one too.
        let room = bytes.checked_next_multiple_of(alignment)?.checked_add(alignment - size)?;
        let elements: Box<[T]> = bytemuck::allocation::try_zeroed_slice_box(room / size).ok()?;
        hints::use_large_pages(&*elements);
        let skipped = elements.as_ptr().align_offset(alignment).min(alignment / size - 1);
        Some(Self { elements, skipped, count })
    }

    /// All of them.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        &self.elements[self.skipped..self.skipped + self.count]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicI16, AtomicU64, Ordering};

    #[test]
    fn zeros_are_aligned_and_as_many_as_asked_for() {
        for count in [0, 1, 2, 31, 1000, LARGE_PAGE / 2 - 1, LARGE_PAGE / 2, LARGE_PAGE + 7] {
            let zeros = Zeros::<AtomicI16>::new(count).unwrap();
            let slice = zeros.as_slice();
            assert_eq!(slice.len(), count);
            let alignment = if count * 2 < LARGE_PAGE { LINE } else { LARGE_PAGE };
            assert_eq!(slice.as_ptr() as usize % alignment, 0, "{count}");
            assert!(slice.iter().all(|zero| zero.load(Ordering::Relaxed) == 0));
        }
    }

    #[test]
    fn too_many_are_refused() {
        for count in [usize::MAX / 64, usize::MAX / 8, usize::MAX] {
            assert!(Zeros::<AtomicU64>::new(count).is_none(), "{count}");
        }
    }
}
