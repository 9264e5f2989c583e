//! The scores that moves are ordered by.

use tamarin_movegen::{Bitboard, Move, PieceKind, Position, SEE_VALUES};

use crate::history::{ColorHistory, ContinuationContext, ContinuationRow, Histories};
use crate::params::Params;

/// What the scores of a node's moves depend on.
#[derive(Clone, Copy)]
pub(crate) struct Scorer<'a> {
    pub params: &'a Params,
    pub position: &'a Position,
    pub histories: &'a Histories<'a>,
    /// The moves before the node.
    pub continuation: &'a ContinuationContext,
    /// What the opponent attacks.
    pub threats: Bitboard,
}

impl Scorer<'_> {
    /// Captures and promotions: most valuable victim first, then by capture history; promotions
    /// to other than a queen last.
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
        self.params.capture_victim_weight() * (gain + promoted)
            + self.histories.capture.value(piece, mv.to(), captured)
    }

    /// The scorer of quiet moves.
    #[inline]
    pub fn for_quiets(&self) -> QuietScorer<'_> {
        let continuation = &self.histories.continuation;
        let color = self.position.side_to_move();
        QuietScorer {
            params: self.params,
            position: self.position,
            quiet: self.histories.quiet.of(color),
            rows: self.continuation.map(|key| continuation.after(key)),
            threats: self.threats,
        }
    }
}

/// Scores quiet moves, with the parts of the histories that depend on the node alone looked
/// up once.
pub(crate) struct QuietScorer<'a> {
    params: &'a Params,
    position: &'a Position,
    quiet: &'a ColorHistory,
    rows: [&'a ContinuationRow; 3],
    threats: Bitboard,
}

impl QuietScorer<'_> {
    /// Quiet moves: by quiet history and continuation history.
    #[inline]
    pub fn score(&self, mv: Move) -> i32 {
        let index = ContinuationRow::index(self.position.moved_piece(mv), mv.to());
        let [last, own, older] = self.rows.map(|row| row.at(index));
        let params = self.params;
        weighted(params.order_quiet_history(), self.quiet.value(self.threats, mv))
            + weighted(params.order_continuation_1(), last)
            + weighted(params.order_continuation_2(), own)
            + weighted(params.order_continuation_4(), older)
    }
}

/// A value times a weight in 1/128, rounded down.
#[inline]
fn weighted(weight: i32, value: i32) -> i32 {
    (weight * value) >> 7
}
