use core::sync::atomic::{AtomicI16, AtomicU64, Ordering};

use super::*;

const HUGE_PAGE: usize = 2 << 20;

fn all_zero(zeros: &[AtomicI16]) -> bool {
    zeros.iter().all(|zero| zero.load(Ordering::Relaxed) == 0)
}

/// These numbers of entries; under Miri, which takes minutes for a million, the small ones.
fn counts<const COUNT: usize>(counts: [usize; COUNT]) -> impl Iterator<Item = usize> {
    counts.into_iter().filter(|count| cfg!(not(miri)) || *count <= 1000)
}

#[test]
fn zeros_are_aligned_and_as_many_as_asked_for() {
    for count in counts([0, 1, 2, 31, 1000, HUGE_PAGE / 2 - 1, HUGE_PAGE / 2, HUGE_PAGE + 7]) {
        let zeros = Zeroed::<AtomicI16>::new(count).unwrap();
        assert_eq!(zeros.as_slice().len(), count);
        let huge = cfg!(unix) && count * 2 >= HUGE_PAGE;
        let alignment = if huge { HUGE_PAGE } else { CACHE_LINE };
        assert_eq!(zeros.as_slice().as_ptr().addr() % alignment, 0, "{count}");
        assert!(all_zero(zeros.as_slice()));
    }
}

#[test]
fn zeros_from_the_heap_are_aligned_and_as_many_as_asked_for() {
    for count in counts([0, 1, 2, 31, 1000, HUGE_PAGE + 7]) {
        let zeros = heap::ZeroedHeap::<AtomicI16>::new(count).unwrap();
        assert_eq!(zeros.as_slice().len(), count);
        assert_eq!(zeros.as_slice().as_ptr().addr() % CACHE_LINE, 0, "{count}");
        assert!(all_zero(zeros.as_slice()));
    }
}

#[test]
fn too_many_zeros_are_refused() {
    for count in [usize::MAX / 64, usize::MAX / 8, usize::MAX / 4, usize::MAX] {
        assert!(Zeroed::<AtomicU64>::new(count).is_none(), "{count}");
        // Unseen by the compiler, which may leave out an unused allocation.
        let heap = core::hint::black_box(heap::ZeroedHeap::<AtomicU64>::new(count));
        assert!(heap.is_none(), "{count}");
    }
}
