//! An entry of a transposition table that threads read and write without locks.

use crate::sync::{AtomicU64, Ordering};

/// Room for an entry: two relaxed atomic words, without locks and without `unsafe`.
///
/// The key is stored combined with the data by exclusive or. A reader that meets half of one
/// write and half of another finds a key that is not its own, and ignores the entry.
///
/// Source: Hyatt and Mann, "A lock-less transposition table implementation for parallel
/// search", 2002.
#[cfg_attr(not(loom), derive(bytemuck::Zeroable), repr(C))]
#[cfg_attr(loom, derive(Default))]
#[derive(Debug)]
pub struct Slot {
    /// The key, exclusive-or'ed with `data`.
    check: AtomicU64,
    /// An entry; zero for an empty slot.
    data: AtomicU64,
}

impl Slot {
    /// The key that the entry was written for, and the entry.
    #[inline]
    pub fn load(&self) -> (u64, u64) {
        let data = self.data.load(Ordering::Relaxed);
        (combine(self.check.load(Ordering::Relaxed), data), data)
    }

    /// Writes an entry for a key.
    #[inline]
    pub fn store(&self, key: u64, entry: u64) {
        self.check.store(combine(key, entry), Ordering::Relaxed);
        self.data.store(entry, Ordering::Relaxed);
    }

    /// Empties it.
    #[inline]
    pub fn clear(&self) {
        self.check.store(0, Ordering::Relaxed);
        self.data.store(0, Ordering::Relaxed);
    }
}

/// What is stored beside an entry for its key, and the key again for what is stored.
#[inline(always)]
fn combine(key_or_check: u64, entry: u64) -> u64 {
    key_or_check ^ entry
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn half_of_a_write_is_of_another_key() {
        let slot = Slot { check: AtomicU64::new(0), data: AtomicU64::new(0) };
        let (key, entry) = (0x0123_4567_89AB_CDEF, 0xFEDC_BA98_7654_3210);
        for bit in 0..64 {
            slot.store(key, entry);
            assert_eq!(slot.load(), (key, entry));
            for word in [&slot.check, &slot.data] {
                let written = word.load(Ordering::Relaxed);
                word.store(written ^ 1 << bit, Ordering::Relaxed);
                assert_ne!(slot.load().0, key, "bit {bit}");
                word.store(written, Ordering::Relaxed);
            }
            slot.clear();
            assert_eq!(slot.load(), (0, 0));
        }
    }
}
