//! Pawn history: how good quiet moves were in positions with the same pawns.

use bytemuck::Zeroable;
use tamarin_base::params::{PAWN_HISTORY_LIMIT, PAWN_HISTORY_SIZE as SIZE};
use tamarin_movegen::{Key, Piece, Square};

use super::counter::Bounded;

type Counter = Bounded<PAWN_HISTORY_LIMIT>;

/// `[piece][to]`, for one structure of pawns.
#[derive(Zeroable)]
pub(crate) struct PawnRow([[Counter; Square::COUNT]; Piece::COUNT]);

impl PawnRow {
    /// The value of the move of `piece` to `to`, within the limit.
    pub fn value(&self, piece: Piece, to: Square) -> i32 {
        self.0[piece.index()][to.index()].value()
    }

    /// Adds a bonus, or with a negative number a malus.
    pub fn update(&self, piece: Piece, to: Square, bonus: i32) {
        self.0[piece.index()][to.index()].update(bonus);
    }
}

/// One row for each remainder of the pawn key.
///
/// Source: Stockfish (2023).
#[derive(Zeroable)]
pub(crate) struct PawnHistory([PawnRow; SIZE]);

impl PawnHistory {
    /// The row of all positions with these pawns.
    pub fn row(&self, pawn_key: Key) -> &PawnRow {
        &self.0[pawn_key as usize & (SIZE - 1)]
    }

    /// All counters, always in the same order.
    pub fn counters(&self) -> impl Iterator<Item = &Counter> {
        self.0.iter().flat_map(|row| row.0.as_flattened())
    }
}
