//! Zeros from the allocator, for systems without anonymous mappings.

use bytemuck::Zeroable;

use super::raw::CACHE_LINE;

/// Zeros from the start of a cache line on.
pub struct ZeroedHeap<T> {
    elements: Box<[T]>,
    /// Elements before the first that counts.
    skipped: usize,
    count: usize,
}

impl<T: Zeroable> ZeroedHeap<T> {
    const SIZE_FITS: () = assert!(size_of::<T>().is_power_of_two() && size_of::<T>() <= CACHE_LINE);

    /// So many zeros, or `None` if the allocator refuses.
    pub fn new(count: usize) -> Option<Self> {
        let () = Self::SIZE_FITS;
        let per_line = CACHE_LINE / size_of::<T>();
        // Asked for a greater alignment, some allocators would write the zeros themselves.
        let room = count.checked_add(per_line - 1)?;
        let elements: Box<[T]> = bytemuck::allocation::try_zeroed_slice_box(room).ok()?;
        let skipped = elements.as_ptr().align_offset(CACHE_LINE).min(per_line - 1);
        Some(Self { elements, skipped, count })
    }

    /// All of them.
    pub fn as_slice(&self) -> &[T] {
        &self.elements[self.skipped..self.skipped + self.count]
    }
}
