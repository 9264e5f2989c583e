//! How often a quiet move was good after a certain move one, two or four plies before.

use core::sync::atomic::AtomicI16;

use bytemuck::TransparentWrapper;
use tamarin_movegen::{Piece, Square};

use super::Bounded;
use crate::params::CONTINUATION_HISTORY_LIMIT;

type Counter = Bounded<CONTINUATION_HISTORY_LIMIT>;

const MOVES: usize = Piece::COUNT * Square::COUNT;

/// An earlier move, as far as this table tells moves apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ContinuationKey(u16);

impl ContinuationKey {
    /// No move: the game started, or a side passed. What follows is neither known nor learned.
    pub const NONE: Self = Self(2 * MOVES as u16);

    /// The move of `piece` to `to`.
    #[inline]
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

/// The place of a move in [`ContinuationRow`].
#[derive(Clone, Copy)]
pub(crate) struct Place(u16);

impl ContinuationRow {
    /// The place of the move of `piece` to `to`.
    #[inline]
    pub fn place(piece: Piece, to: Square) -> Place {
        Place((piece.index() * Square::COUNT + to.index()) as u16)
    }

    /// The value of the move at `place`, within plus and minus
    /// [`CONTINUATION_HISTORY_LIMIT`].
    #[inline]
    pub fn at(&self, place: Place) -> i32 {
        self.0[usize::from(place.0)].value()
    }
}

/// `[earlier move: noisy, piece, to]`, with one more row that stays empty.
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

    /// What is known of the moves after the move `key`.
    #[inline]
    pub fn after(&self, key: ContinuationKey) -> &ContinuationRow {
        &self.0[usize::from(key.0)]
    }

    /// Rewards the move after each of the `past` moves, or punishes it with a negative bonus.
    #[inline]
    pub fn update(&self, past: &ContinuationContext, piece: Piece, to: Square, bonus: i32) {
        let place = ContinuationRow::place(piece, to);
        for &key in past {
            if key != ContinuationKey::NONE {
                self.0[usize::from(key.0)].0[usize::from(place.0)].update(bonus);
            }
        }
    }
}
