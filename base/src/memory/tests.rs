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
    kib_after("Rss:", maps.lines().skip_while(|line| !holds(line)))
}

/// The number of the first line with this name, as files under `/proc` have them.
#[cfg(target_os = "linux")]
fn kib_after<'a>(name: &str, mut lines: impl Iterator<Item = &'a str>) -> usize {
    let size = lines.find_map(|line| line.strip_prefix(name)).unwrap();
    size.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

/// KiB of address space that this process has in use.
#[cfg(target_os = "linux")]
fn address_space() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    kib_after("VmSize:", status.lines())
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_taken_when_used_and_given_back() {
    const KIB: usize = 24 << 10;
    const ROUNDS: usize = 8;
    let before = address_space();
    for _ in 0..ROUNDS {
        let zeros = Zeroed::<AtomicU64>::new(KIB << 7).unwrap();
        let first = zeros.as_slice().as_ptr();
        assert!(resident(first) < KIB / 4, "{}", resident(first));
        zeros.as_slice().iter().for_each(|zero| zero.store(1, Ordering::Relaxed));
        assert!(resident(first) >= KIB, "{}", resident(first));
    }
    // Other tests may be running in this process.
    let kept = address_space().saturating_sub(before);
    assert!(kept < ROUNDS / 2 * KIB, "{kept} KiB kept");
}
