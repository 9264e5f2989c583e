//! The counter that all histories are made of.

use core::sync::atomic::{AtomicI16, Ordering};

use bytemuck::{TransparentWrapper, Zeroable};

/// A counter that never leaves `-CAP..=CAP`, because an update counts for less the closer it
/// brings the value to that.
///
/// Several threads may use one; of two updates at the same time one may be lost.
///
/// Source: the "gravity" formula in use since Stockfish 8.
#[derive(Default, Debug, Zeroable, TransparentWrapper)]
#[repr(transparent)]
pub(crate) struct Bounded<const CAP: i32>(AtomicI16);

impl<const CAP: i32> Bounded<CAP> {
    const CAP_FITS: () = assert!(CAP > 0 && CAP <= i16::MAX as i32);

    /// The value, `-CAP..=CAP`.
    pub fn value(&self) -> i32 {
        i32::from(self.0.load(Ordering::Relaxed))
    }

    /// Adds `bonus`, and takes off the same share of the value as `bonus` is of the cap.
    #[inline]
    pub fn update(&self, bonus: i32) {
        let () = Self::CAP_FITS;
        let bonus = bonus.clamp(-CAP, CAP);
        let old = self.value();
        let new = old + bonus - old * bonus.abs() / CAP;
        self.0.store(new as i16, Ordering::Relaxed);
    }

    /// Takes a value of a file, cut to what it may be.
    pub fn set(&self, value: i16) {
        let () = Self::CAP_FITS;
        self.0.store(i32::from(value).clamp(-CAP, CAP) as i16, Ordering::Relaxed);
    }

    /// Back to zero.
    pub fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_stays_within_its_cap() {
        let counter = Bounded::<1024>::default();
        for _ in 0..1000 {
            counter.update(5000);
        }
        assert_eq!(counter.value(), 1024);
        counter.update(-300);
        assert!(counter.value() < 1024 - 300, "far out, a malus pulls twice as hard");
        for _ in 0..1000 {
            counter.update(i32::MIN + 1);
        }
        assert_eq!(counter.value(), -1024);
    }
}
