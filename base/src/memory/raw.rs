//! What safe Rust cannot do: pages of zeros straight from the system, prefetches, and an order to
//! the allocator. The only unsafe code of the crate.

#![allow(unsafe_code)]

/// Bytes of a cache line.
pub const CACHE_LINE: usize = 64;

/// Asks for the cache line at `target` to be fetched ahead of its use. Elsewhere than on
/// x86-64 nothing happens.
///
/// Prefetching the transposition table is worth 10 % of the nodes a second (run V54).
#[inline(always)]
pub fn prefetch<T>(target: &T) {
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

/// Has all threads allocate from one heap, and blocks from 256 KiB on from the system. To be called
/// before a second thread is started; does nothing where the allocator is not glibc's.
///
/// glibc gives each thread a heap of its own as long as there are fewer than eight for each
/// processor, and sets apart 64 MiB of address space for it at the first allocation, for a moment
/// 128. Where address space is limited the allocations of the other threads fail meanwhile, and what
/// is set apart is missing for tables. The threads of an engine allocate next to nothing while they
/// search. Seen with 90 to 420 MB of address space: 2 of 48 processes ended by a refused
/// allocation before, and none of 1,770 since (`resources.rs`).
///
/// Without a fixed limit, glibc takes blocks as large as any that was freed from its heap, and one
/// small block above them keeps the system from having them back: what a rejected network had taken
/// for its accumulators was then missing for the next.
pub fn configure_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: each call only stores a number that the allocator reads later. It is not safe beside
    // itself in another thread, and there is no other thread yet; were there one, the same number
    // would be stored twice. A refusal is returned and does no harm.
    unsafe {
        let _ = libc::mallopt(libc::M_ARENA_MAX, 1);
        let _ = libc::mallopt(libc::M_MMAP_THRESHOLD, 256 << 10);
    }
}

#[cfg(unix)]
pub use pages::ZeroedPages;

#[cfg(unix)]
mod pages {
    use core::ffi::c_void;
    use core::ptr::{NonNull, null_mut};

    use bytemuck::Zeroable;
    use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

    /// Bytes of a huge page where there are any: x86-64, AArch64 with pages of 4 KiB.
    const HUGE_PAGE: usize = 2 << 20;

    /// Zeros in an anonymous mapping of their own. They start at a huge page, or at a page
    /// if they fill no huge one.
    ///
    /// The system takes memory for a page when it is first used, and has all of it back when
    /// this is dropped. An allocator promises neither: glibc's serves tables of up to 32 MiB
    /// from its heap once as much was freed, writes the zeros by hand, all in one thread and
    /// on small pages, and keeps the memory.
    pub struct ZeroedPages<T> {
        first: NonNull<T>,
        count: usize,
        mapping: NonNull<c_void>,
        mapped: usize,
    }

    // SAFETY: the zeros are owned as a box owns its elements, and lent by reference only.
    unsafe impl<T: Send> Send for ZeroedPages<T> {}
    // SAFETY: as above.
    unsafe impl<T: Sync> Sync for ZeroedPages<T> {}

    impl<T: Zeroable> ZeroedPages<T> {
        /// The mapping is aligned to pages, and nothing of it is dropped.
        const FITS: () = assert!(align_of::<T>() <= 4096 && !core::mem::needs_drop::<T>());

        /// So many zeros, or `None` if the system has no memory for them.
        pub fn new(count: usize) -> Option<Self> {
            let () = Self::FITS;
            let bytes = count.checked_mul(size_of::<T>())?;
            isize::try_from(bytes).ok()?;
            // To the end of the last huge page, and room to start at the first one.
            let mapped = match bytes < HUGE_PAGE {
                true => bytes.max(1),
                false => bytes.checked_next_multiple_of(HUGE_PAGE)?.checked_add(HUGE_PAGE)?,
            };
            let access = ProtFlags::READ | ProtFlags::WRITE;
            // SAFETY: without an address to map at, the system chooses one that nothing uses.
            let mapping = unsafe { mmap_anonymous(null_mut(), mapped, access, MapFlags::PRIVATE) };
            let mapping = NonNull::new(mapping.ok()?)?;
            let skipped = match bytes < HUGE_PAGE {
                true => 0,
                false => mapping.cast::<u8>().align_offset(HUGE_PAGE),
            };
            debug_assert!(skipped + bytes <= mapped);
            // SAFETY: less than a huge page is skipped, and only if there is one more than
            // the zeros fill: the address is within the mapping.
            let first = unsafe { mapping.byte_add(skipped) };
            if bytes >= HUGE_PAGE {
                use_huge_pages(first, bytes.next_multiple_of(HUGE_PAGE));
            }
            Some(Self { first: first.cast(), count, mapping, mapped })
        }
    }

    impl<T> ZeroedPages<T> {
        /// All of them.
        #[inline]
        pub fn as_slice(&self) -> &[T] {
            // SAFETY: `count` elements from `first` on lie within the mapping, which lives as
            // long as `self` and is used for nothing else. `first` is aligned for `T`, being
            // that of a page. The mapping is readable and was zeros, which are a valid `T`
            // (`Zeroable`); later writes go through this slice and leave valid ones.
            unsafe { core::slice::from_raw_parts(self.first.as_ptr(), self.count) }
        }
    }

    impl<T> Drop for ZeroedPages<T> {
        fn drop(&mut self) {
            // SAFETY: it was mapped with this address and length for `self` alone, and no
            // reference into it outlives `self`.
            let unmapped = unsafe { munmap(self.mapping.as_ptr(), self.mapped) };
            debug_assert!(unmapped.is_ok(), "{unmapped:?}");
        }
    }

    /// Asks for huge pages, before the first use. A search looks into its tables all over the
    /// place: with small pages most of these looks, the prefetches too, wait until the page
    /// is found, a twentieth of the time (run V43).
    fn use_huge_pages(first: NonNull<c_void>, bytes: usize) {
        // Miri has no huge pages, and does not know the call.
        #[cfg(all(target_os = "linux", not(miri)))]
        {
            use rustix::mm::{Advice, madvise};
            // SAFETY: the range lies within a mapping that only the caller has. The advice
            // changes neither what it holds nor how it may be used; a refusal does no harm.
            let _ = unsafe { madvise(first.as_ptr(), bytes, Advice::LinuxHugepage) };
        }
        #[cfg(not(all(target_os = "linux", not(miri))))]
        let _ = (first, bytes);
    }
}
