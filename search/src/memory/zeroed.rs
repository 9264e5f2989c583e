//! Memory for tables: zeros that the system has not filled yet, on large pages.

use bytemuck::Zeroable;

use crate::memory::raw;

/// Bytes a cache line has.
pub(crate) const CACHE_LINE: usize = 64;

/// Bytes a large page has where there are any: x86-64, AArch64 with pages of 4 KiB.
const LARGE_PAGE: usize = 2 << 20;

/// More bytes than glibc ever takes from its heap, where zeros are written by hand and on small
/// pages: as `malloc` is used, its bound for that goes up to 32 MiB (`mallopt(3)`). What is
/// asked for beyond need is address space only.
const OUTSIDE_THE_HEAP: usize =
    if cfg!(all(target_env = "gnu", target_pointer_width = "64")) { (32 << 20) + 1 } else { 0 };

/// Zeroed from the start of a large page on, or of a cache line if they are fewer.
///
/// The system hands them out without touching the memory: what is never used costs address
/// space only. The allocator is asked for no more than the alignment of an element, and for
/// more elements than wanted: with a greater alignment it would write the zeros itself, all
/// by this thread.
pub(crate) struct Zeroed<T> {
    elements: Box<[T]>,
    /// Elements before the first that counts.
    skipped: usize,
    count: usize,
}

impl<T: Zeroable> Zeroed<T> {
    const SIZE_FITS: () = assert!(size_of::<T>().is_power_of_two() && size_of::<T>() <= CACHE_LINE);

    /// So many zeros, or `None` if the memory is not to be had.
    pub fn new(count: usize) -> Option<Self> {
        let () = Self::SIZE_FITS;
        let size = size_of::<T>();
        let bytes = count.checked_mul(size)?;
        let (alignment, least) =
            if bytes < LARGE_PAGE { (CACHE_LINE, 0) } else { (LARGE_PAGE, OUTSIDE_THE_HEAP) };
        // To the end of the last page, so that it can be a large one too.
        let room = bytes.checked_next_multiple_of(alignment)?.checked_add(alignment - size)?;
        let room = room.max(least.next_multiple_of(size));
        let elements: Box<[T]> = bytemuck::allocation::try_zeroed_slice_box(room / size).ok()?;
        raw::use_huge_pages(&*elements);
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
            let zeros = Zeroed::<AtomicI16>::new(count).unwrap();
            let slice = zeros.as_slice();
            assert_eq!(slice.len(), count);
            let alignment = if count * 2 < LARGE_PAGE { CACHE_LINE } else { LARGE_PAGE };
            assert_eq!(slice.as_ptr() as usize % alignment, 0, "{count}");
            assert!(slice.iter().all(|zero| zero.load(Ordering::Relaxed) == 0));
        }
    }

    /// KiB of memory behind the mapping that holds an address.
    #[cfg(target_os = "linux")]
    fn resident<T>(address: *const T) -> usize {
        let maps = std::fs::read_to_string("/proc/self/smaps").unwrap();
        let number = |text: &str| usize::from_str_radix(text, 16).ok();
        let holds = |line: &str| {
            let range = line.split(' ').next().and_then(|range| range.split_once('-'));
            let bounds = range.and_then(|(from, to)| Some(number(from)?..number(to)?));
            bounds.is_some_and(|bounds| bounds.contains(&address.addr()))
        };
        let lines = maps.lines().skip_while(|line| !holds(line));
        let size = lines.filter_map(|line| line.strip_prefix("Rss:")).next().unwrap();
        size.trim().strip_suffix(" kB").unwrap().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn zeros_take_memory_when_used_and_give_it_back() {
        const KIB: usize = 24 << 10;
        for _ in 0..4 {
            let zeros = Zeroed::<AtomicU64>::new(KIB << 7).unwrap();
            let first = zeros.as_slice().as_ptr();
            // Once so much was freed, the allocator would take it from its heap and keep it there.
            assert!(resident(first) < KIB / 4, "{}", resident(first));
            zeros.as_slice().iter().for_each(|zero| zero.store(1, Ordering::Relaxed));
            assert!(resident(first) >= KIB, "{}", resident(first));
        }
    }

    #[test]
    fn too_many_are_refused() {
        for count in [usize::MAX / 64, usize::MAX / 8, usize::MAX] {
            assert!(Zeroed::<AtomicU64>::new(count).is_none(), "{count}");
        }
    }
}
