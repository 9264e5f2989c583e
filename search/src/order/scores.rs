//! What a move promises before it is tried.

use tamarin_movegen::{Bitboard, Move, PieceKind, Position, SEE_VALUES};

use crate::history::{Histories, Past};

/// What the score of a move depends on at one node.
#[derive(Clone, Copy)]
pub(crate) struct Scorer<'a> {
    pub position: &'a Position,
    pub histories: &'a Histories,
    pub past: &'a Past,
    /// What the enemy attacks.
    pub threats: Bitboard,
}

impl Scorer<'_> {
    /// A capture or promotion: the most valuable victim first, then by experience.
    #[inline]
    pub fn noisy(&self, mv: Move) -> i32 {
        let captured = self.position.captured_by(mv);
        let gain = captured.map_or(0, |kind| SEE_VALUES[kind.index()]);
        let promoted = match mv.promotion() {
            Some(PieceKind::Queen) => SEE_VALUES[PieceKind::Queen.index()],
            Some(_) => -SEE_VALUES[PieceKind::Queen.index()],
            None => 0,
        };
        let piece = self.position.moved_piece(mv);
        16 * (gain + promoted) + self.histories.capture.value(piece, mv.to(), captured)
    }

    /// A quiet move: by experience, in general and after the moves before it.
    #[inline]
    pub fn quiet(&self, mv: Move) -> i32 {
        let piece = self.position.moved_piece(mv);
        let color = piece.color();
        let continuation = &self.histories.continuation;
        2 * self.histories.quiet.value(color, self.threats, mv)
            + continuation.value(self.past[0], piece, mv.to())
            + continuation.value(self.past[1], piece, mv.to())
            + continuation.value(self.past[2], piece, mv.to()) / 2
    }
}
