//! Continuation history: how good a quiet move was after a certain earlier move, one, two or
//! four plies before it.

use core::sync::atomic::AtomicI16;

use bytemuck::TransparentWrapper;
use tamarin_base::params::CONTINUATION_HISTORY_LIMIT;
use tamarin_movegen::{Piece, Square};

use super::counter::Bounded;

type Counter = Bounded<CONTINUATION_HISTORY_LIMIT>;

const MOVES: usize = Piece::COUNT * Square::COUNT;

/// An earlier move: its piece, its target, and whether it was a capture or promotion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ContinuationKey(u16);

impl ContinuationKey {
    /// No move: before the start of the game, or a null move. Its row stays empty.
    pub const NONE: Self = Self(2 * MOVES as u16);

    /// A key of two moves in a row, with its bits mixed so that its low ones will do.
    #[inline]
    pub fn mixed_with(self, other: Self) -> u64 {
        let both = u64::from(self.0) << 16 | u64::from(other.0);
        // Fibonacci hashing: 2^64 divided by the golden ratio.
        both.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40
    }

    /// The move of `piece` to `to`.
    pub fn new(piece: Piece, to: Square, noisy: bool) -> Self {
        Self((usize::from(noisy) * MOVES + piece.index() * Square::COUNT + to.index()) as u16)
    }
}

/// The moves one, two and four plies before a node, in this order.
pub(crate) type ContinuationContext = [ContinuationKey; 3];

/// The counters of all moves after a certain one: `[piece, to]`.
#[derive(TransparentWrapper)]
#[repr(transparent)]
pub(crate) struct ContinuationRow([Counter; MOVES]);

/// The index of a move in a [`ContinuationRow`].
#[derive(Clone, Copy)]
pub(crate) struct RowIndex(u16);

impl ContinuationRow {
    /// The index of the move of `piece` to `to`.
    pub fn index(piece: Piece, to: Square) -> RowIndex {
        RowIndex((piece.index() * Square::COUNT + to.index()) as u16)
    }

    /// The value of the move at `index`, within plus and minus
    /// [`CONTINUATION_HISTORY_LIMIT`].
    pub fn at(&self, index: RowIndex) -> i32 {
        self.0[usize::from(index.0)].value()
    }
}

/// `[earlier move: noisy, piece, to][piece, to]`, with one more row for [`ContinuationKey::NONE`].
#[derive(TransparentWrapper)]
#[repr(transparent)]
pub(crate) struct ContinuationHistory([ContinuationRow; 2 * MOVES + 1]);

impl ContinuationHistory {
    /// How many counters it is made of.
    pub const COUNTERS: usize = (2 * MOVES + 1) * MOVES;

    /// The table that consists of these counters.
    ///
    /// # Panics
    /// If they are not [`Self::COUNTERS`].
    pub fn view(counters: &[AtomicI16]) -> &Self {
        let (rows, _) = Counter::wrap_slice(counters).as_chunks();
        let rows = ContinuationRow::wrap_slice(rows).try_into();
        Self::wrap_ref(rows.expect("invariant: the counters of one table"))
    }

    /// All counters, always in the same order.
    pub fn counters(&self) -> impl Iterator<Item = &Counter> {
        self.0.iter().flat_map(|row| &row.0)
    }

    /// The counters of all moves after the move `key`.
    pub fn after(&self, key: ContinuationKey) -> &ContinuationRow {
        &self.0[usize::from(key.0)]
    }

    /// Adds a bonus, or a malus if it is negative, to the move after each of the earlier moves.
    #[inline]
    pub fn update(&self, context: &ContinuationContext, piece: Piece, to: Square, bonus: i32) {
        let index = ContinuationRow::index(piece, to);
        for &key in context {
            if key != ContinuationKey::NONE {
                self.0[usize::from(key.0)].0[usize::from(index.0)].update(bonus);
            }
        }
    }
}
