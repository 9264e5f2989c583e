//! The one hint to the processor that safe Rust cannot give.

/// Asks for the cache line at `target` to be fetched ahead of its use.
///
/// Only a hint: where the processor has no such instruction that we know of, nothing happens.
#[inline(always)]
#[allow(unsafe_code)]
pub(super) fn prefetch<T>(target: &T) {
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
