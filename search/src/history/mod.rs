//! The histories: statistics of how good moves were, and how wrong evaluations, in the nodes
//! searched so far.
//!
//! | table | keys | limit | used for |
//! |---|---|---|---|
//! | [`QuietHistory`] | color, from and to threatened, from, to | 8192 | ordering, LMR, history pruning |
//! | [`CaptureHistory`] | piece, to, captured | 8192 | ordering, LMR and pruning of captures |
//! | [`PawnHistory`] | key of the pawns, piece, to | 8192 | ordering |
//! | [`ContinuationHistory`] | earlier move (noisy, piece, to), piece, to | 16384 | ordering, LMR, history pruning |
//! | [`CorrectionHistory`] | color, some key of the position | 1024 | static evaluation |
//!
//! All of them are made of counters with gravity ([`counter::Bounded`]). The first three
//! belong to one thread ([`ThreadHistories`]), the others to a group of up to [`THREADS_PER_GROUP`]
//! ([`SharedHistories`]): a thread profits from what the others found out, and threads that
//! order, reduce and evaluate alike profit more from each other's entries in the transposition
//! table. Source: Stockfish shares these two (1a67ccc72, f9b002cf7).

mod capture;
mod continuation;
mod correction;
mod counter;
mod pawn;
mod quiet;
mod saved;

pub(crate) use capture::CaptureHistory;
pub(crate) use continuation::{
    ContinuationContext, ContinuationHistory, ContinuationKey, ContinuationRow,
};
pub(crate) use correction::{CorrectionHistory, CorrectionKeys};
pub(crate) use pawn::{PawnHistory, PawnRow};
pub(crate) use quiet::{ColorHistory, QuietHistory};

use core::sync::atomic::{AtomicI16, Ordering};

use bytemuck::Zeroable;
use tamarin_base::memory::Zeroed;

use self::counter::Bounded;

pub(crate) use tamarin_base::params::THREADS_PER_GROUP;

/// The tables of one thread.
pub(crate) struct ThreadHistories(Box<ThreadTables>);

#[derive(Zeroable)]
struct ThreadTables {
    quiet: QuietHistory,
    capture: CaptureHistory,
    pawn: PawnHistory,
}

/// The tables of a group of threads: the counters of [`ContinuationHistory`], then those of
/// [`CorrectionHistory`], together on huge pages, for they are read at random.
pub(crate) struct SharedHistories(Zeroed<AtomicI16>);

/// All the tables that a thread uses.
#[derive(Clone, Copy)]
pub(crate) struct Histories<'a> {
    pub quiet: &'a QuietHistory,
    pub capture: &'a CaptureHistory,
    pub pawn: &'a PawnHistory,
    pub continuation: &'a ContinuationHistory,
    pub correction: &'a CorrectionHistory,
}

impl<'a> Histories<'a> {
    pub fn new(own: &'a ThreadHistories, shared: &'a SharedHistories) -> Self {
        Self {
            quiet: &own.0.quiet,
            capture: &own.0.capture,
            pawn: &own.0.pawn,
            continuation: shared.continuation(),
            correction: shared.correction(),
        }
    }
}

impl ThreadHistories {
    /// Empty tables, or `None` if the system has no memory for them.
    pub fn new() -> Option<Self> {
        bytemuck::allocation::try_zeroed_box().ok().map(Self)
    }

    /// Empties the tables.
    pub fn clear(&self) {
        self.0.quiet.counters().for_each(Bounded::clear);
        self.0.capture.counters().for_each(Bounded::clear);
        self.0.pawn.counters().for_each(Bounded::clear);
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
