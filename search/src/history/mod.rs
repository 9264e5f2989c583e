//! What the search has learned about moves from the nodes it has seen.
//!
//! | table | keys | cap | read by |
//! |---|---|---|---|
//! | [`QuietHistory`] | color, from and to threatened, from, to | 8192 | ordering, reductions |
//! | [`CaptureHistory`] | piece, to, captured | 8192 | ordering of captures |
//! | [`ContinuationHistory`] | earlier move (noisy, piece, to), piece, to | 16384 | ordering, reductions, pruning |
//! | [`CorrectionHistory`] | color, some key of the position | 1024 | static evaluation |
//!
//! All of them are bounded counters with gravity ([`Bounded`]). The first two belong to one
//! thread ([`ThreadHistories`]), the others to a group of up to [`THREADS_PER_GROUP`] ([`SharedHistories`]): what one thread
//! has learned, the others need not find out, and as they order, reduce and evaluate alike,
//! more of what one leaves in the transposition table serves the others. Source: Stockfish
//! shares these two (1a67ccc72, f9b002cf7).

mod capture;
mod continuation;
mod correction;
mod quiet;

pub(crate) use capture::CaptureHistory;
pub(crate) use continuation::{
    ContinuationContext, ContinuationHistory, ContinuationKey, ContinuationRow,
};
pub(crate) use correction::{CorrectionHistory, CorrectionKeys};
pub(crate) use quiet::{ColorHistory, QuietHistory};

use core::sync::atomic::{AtomicI16, Ordering};

use bytemuck::{TransparentWrapper, Zeroable};

use crate::memory::Zeroed;
pub(crate) use crate::params::THREADS_PER_GROUP;

/// A counter that is pulled back towards zero the more the farther out it is,
/// so that it never leaves `-CAP..=CAP`.
///
/// Several threads may use one; of two updates at the same time one may be lost.
///
/// Source: the "gravity" formula in use since Stockfish 8.
#[derive(Default, Debug, Zeroable, TransparentWrapper)]
#[repr(transparent)]
pub(crate) struct Bounded<const CAP: i32>(AtomicI16);

// Any bit pattern of zeros is the counter zero; derive cannot do const generics everywhere.
impl<const CAP: i32> Bounded<CAP> {
    const CAP_FITS: () = assert!(CAP > 0 && CAP <= i16::MAX as i32);

    /// The value, `-CAP..=CAP`.
    #[inline(always)]
    pub fn value(&self) -> i32 {
        i32::from(self.0.load(Ordering::Relaxed))
    }

    /// Moves the value by about `bonus`, less the farther it is that way already.
    #[inline]
    pub fn update(&self, bonus: i32) {
        let () = Self::CAP_FITS;
        let bonus = bonus.clamp(-CAP, CAP);
        let old = self.value();
        let new = old + bonus - old * bonus.abs() / CAP;
        self.0.store(new as i16, Ordering::Relaxed);
    }

    /// Forgets everything.
    fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// The tables of one thread.
#[derive(Zeroable)]
pub(crate) struct ThreadHistories {
    pub quiet: QuietHistory,
    pub capture: CaptureHistory,
}

/// The tables of a group of threads: the counters of [`ContinuationHistory`], then those of
/// [`CorrectionHistory`], together on large pages. A search looks into them all over the place.
pub(crate) struct SharedHistories(Zeroed<AtomicI16>);

/// All the tables that a thread looks into.
#[derive(Clone, Copy)]
pub(crate) struct Histories<'a> {
    pub quiet: &'a QuietHistory,
    pub capture: &'a CaptureHistory,
    pub continuation: &'a ContinuationHistory,
    pub correction: &'a CorrectionHistory,
}

impl<'a> Histories<'a> {
    pub fn new(own: &'a ThreadHistories, shared: &'a SharedHistories) -> Self {
        Self {
            quiet: &own.quiet,
            capture: &own.capture,
            continuation: shared.continuation(),
            correction: shared.correction(),
        }
    }
}

impl ThreadHistories {
    /// Empty tables, or `None` if the system has no memory for them.
    pub fn new() -> Option<Box<Self>> {
        bytemuck::allocation::try_zeroed_box().ok()
    }

    /// Empties the tables.
    pub fn clear(&self) {
        self.quiet.clear();
        self.capture.clear();
    }
}

impl SharedHistories {
    /// Empty tables, or `None` if the system has no memory for them.
    pub fn new() -> Option<Self> {
        Zeroed::new(ContinuationHistory::COUNTERS + CorrectionHistory::COUNTERS).map(Self)
    }

    fn continuation(&self) -> &ContinuationHistory {
        ContinuationHistory::view(&self.0.as_slice()[..ContinuationHistory::COUNTERS])
    }

    fn correction(&self) -> &CorrectionHistory {
        CorrectionHistory::view(&self.0.as_slice()[ContinuationHistory::COUNTERS..])
    }

    /// Empties the tables, for all threads of the group.
    pub fn clear(&self) {
        self.0.as_slice().iter().for_each(|counter| counter.store(0, Ordering::Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamarin_movegen::{Bitboard, Color, Piece, PieceKind, Position};

    use crate::params::Params;

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

    #[test]
    fn many_threads_keep_a_counter_within_its_cap() {
        let counter = Bounded::<1024>::default();
        std::thread::scope(|scope| {
            for bonus in [900, -900, 700, -700] {
                let counter = &counter;
                scope.spawn(move || {
                    for _ in 0..10_000 {
                        counter.update(bonus);
                        assert!(counter.value().abs() <= 1024);
                    }
                });
            }
        });
    }

    #[test]
    fn cleared_tables_know_nothing() {
        let position = Position::startpos();
        let (own, shared) = (ThreadHistories::new().unwrap(), SharedHistories::new().unwrap());
        let histories = Histories::new(&own, &shared);
        let piece = Piece::new(Color::White, PieceKind::Knight);
        let mv = position.legal_moves()[0];
        let key = ContinuationKey::new(piece, mv.to(), false);
        let keys = CorrectionKeys::new(&position);
        let known = || {
            let place = ContinuationRow::place(piece, mv.to());
            [
                histories.quiet.of(Color::White).value(Bitboard::EMPTY, mv),
                histories.capture.value(piece, mv.to(), None),
                histories.continuation.after(key).at(place),
                histories.correction.value(&Params::default(), &keys),
            ]
        };
        histories.quiet.of(Color::White).update(Bitboard::EMPTY, mv, 100);
        histories.capture.update(piece, mv.to(), None, 100);
        histories.continuation.update(&[key; 3], piece, mv.to(), 100);
        histories.correction.update(&keys, 100);
        assert!(known().iter().all(|&value| value > 0), "{:?}", known());
        own.clear();
        shared.clear();
        assert_eq!(known(), [0; 4]);
    }

    #[test]
    fn a_small_bonus_counts_in_full_at_zero() {
        let counter = Bounded::<16384>::default();
        counter.update(77);
        assert_eq!(counter.value(), 77);
    }
}
