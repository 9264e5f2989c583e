//! Hints to the processor and the system, which safe Rust cannot give. They change
//! speed and nothing else; where there is nobody to take them, nothing happens.

/// Asks for the cache line at `target` to be fetched ahead of its use.
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn prefetch<T>(target: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch neither reads nor writes as far as the program can tell and
        // cannot fault; SSE, which it needs, is part of every x86-64. The address is that
        // of a live reference besides.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(target).cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = target;
}

/// Asks the system to back `memory`, best before its first use, with large pages.
///
/// A search looks into its tables all over the place. With small pages most of these
/// looks, the prefetches too, wait until the page is found: a twentieth of the time.
#[allow(unsafe_code)]
pub(crate) fn use_huge_pages<T: ?Sized>(memory: &T) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        const PAGE: usize = 4096;
        let start = core::ptr::from_ref(memory).cast::<u8>();
        let skipped = start.align_offset(PAGE);
        // Whole pages only: what shares a page with other memory is left alone.
        let length = size_of_val(memory).saturating_sub(skipped) / PAGE * PAGE;
        if length > 0 {
            let first = start.wrapping_add(skipped).cast_mut().cast();
            // SAFETY: the range lies within a live allocation. The advice changes neither
            // what the memory holds nor how it may be used; a refusal does no harm.
            let _ = unsafe { madvise(first, length, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hints_change_nothing() {
        let memory: Vec<u8> = (0..5_000_000).map(|byte| byte as u8).collect();
        for range in [0..5_000_000, 1..4_999_999, 5..4000, 7..7] {
            use_huge_pages(&memory[range]);
        }
        prefetch(&memory[4_000_000]);
        assert!(memory.iter().enumerate().all(|(index, &byte)| byte == index as u8));
    }
}
