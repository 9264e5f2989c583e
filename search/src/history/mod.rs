//! What the search has learned about moves from the nodes it has seen.
//!
//! | table | keys | cap | read by |
//! |---|---|---|---|
//! | [`QuietHistory`] | color, from and to threatened, from, to | 8192 | ordering, reductions |
//! | [`CaptureHistory`] | piece, to, captured | 8192 | ordering of captures |
//! | [`ContinuationHistory`] | earlier move (noisy, piece, to), piece, to | 16384 | ordering, reductions, pruning |
//! | [`CorrectionHistory`] | color, some key of the position | 1024 | static evaluation |
//!
//! All of them are bounded counters with gravity ([`Bounded`]), all belong to one thread.

mod capture;
mod continuation;
mod correction;
mod quiet;

pub(crate) use capture::CaptureHistory;
pub(crate) use continuation::{ContinuationHistory, ContinuationKey, Past, Replies};
pub(crate) use correction::{CorrectionHistory, CorrectionKeys};
pub(crate) use quiet::{ColorHistory, QuietHistory};

use crate::hints;

/// A counter that is pulled back towards zero the more the farther out it is,
/// so that it never leaves `-CAP..=CAP`.
///
/// Source: the "gravity" formula in use since Stockfish 8.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, bytemuck::Zeroable)]
#[repr(transparent)]
pub(crate) struct Bounded<const CAP: i32>(i16);

// Any bit pattern of zeros is the counter zero; derive cannot do const generics everywhere.
impl<const CAP: i32> Bounded<CAP> {
    const CAP_FITS: () = assert!(CAP > 0 && CAP <= i16::MAX as i32);

    /// The value, `-CAP..=CAP`.
    #[inline(always)]
    pub fn value(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the value by about `bonus`, less the farther it is that way already.
    #[inline]
    pub fn nudge(&mut self, bonus: i32) {
        let () = Self::CAP_FITS;
        let bonus = bonus.clamp(-CAP, CAP);
        let old = self.value();
        self.0 = (old + bonus - old * bonus.abs() / CAP) as i16;
    }
}

/// All the tables of one thread that are about moves and evaluations.
///
/// Made of zeros, which the system hands out without touching the memory: a thread that
/// never searches costs address space only.
#[derive(bytemuck::Zeroable)]
pub(crate) struct Histories {
    pub quiet: QuietHistory,
    pub capture: CaptureHistory,
    pub continuation: ContinuationHistory,
    pub correction: CorrectionHistory,
}

impl Histories {
    /// Empty tables, or `None` if the system has no memory for them.
    pub fn new() -> Option<Box<Self>> {
        let histories: Box<Self> = bytemuck::allocation::try_zeroed_box().ok()?;
        hints::use_large_pages(&*histories);
        Some(histories)
    }

    /// Empties the tables in place.
    pub fn clear(&mut self) {
        bytemuck::write_zeroes(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_stays_within_its_cap() {
        let mut counter = Bounded::<1024>::default();
        for _ in 0..1000 {
            counter.nudge(5000);
        }
        assert_eq!(counter.value(), 1024);
        counter.nudge(-300);
        assert!(counter.value() < 1024 - 300, "far out, a malus pulls twice as hard");
        for _ in 0..1000 {
            counter.nudge(i32::MIN + 1);
        }
        assert_eq!(counter.value(), -1024);
    }

    #[test]
    fn a_small_bonus_counts_in_full_at_zero() {
        let mut counter = Bounded::<16384>::default();
        counter.nudge(77);
        assert_eq!(counter.value(), 77);
    }
}
