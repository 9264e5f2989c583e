//! What a move promises before it is tried.

use tamarin_movegen::{Bitboard, Move, PieceKind, Position, SEE_VALUES};

use crate::history::{ColorHistory, ContinuationContext, ContinuationRow, Histories};
use crate::params::Params;
use crate::tt::TranspositionTable;

/// What the score of a move depends on at one node.
#[derive(Clone, Copy)]
pub(crate) struct Scorer<'a> {
    pub params: &'a Params,
    pub position: &'a Position,
    pub histories: &'a Histories<'a>,
    pub past: &'a ContinuationContext,
    /// What the enemy attacks.
    pub threats: Bitboard,
    /// Where the positions after the moves will be looked up.
    pub table: &'a TranspositionTable,
}

impl Scorer<'_> {
    /// Prepares for a move that may be made soon.
    #[inline]
    pub fn prefetch_after(&self, mv: Move) {
        self.table.prefetch_after(self.position, mv, self.params);
    }

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
        self.params.capture_victim_weight() * (gain + promoted)
            + self.histories.capture.value(piece, mv.to(), captured)
    }

    /// What it takes to score quiet moves.
    #[inline]
    pub fn for_quiets(&self) -> QuietScorer<'_> {
        let continuation = &self.histories.continuation;
        let color = self.position.side_to_move();
        QuietScorer {
            params: self.params,
            position: self.position,
            general: self.histories.quiet.of(color),
            past: self.past.map(|key| continuation.after(key)),
            threats: self.threats,
        }
    }
}

/// Scores quiet moves, the tables that depend on the node alone looked up.
pub(crate) struct QuietScorer<'a> {
    params: &'a Params,
    position: &'a Position,
    general: &'a ColorHistory,
    past: [&'a ContinuationRow; 3],
    threats: Bitboard,
}

impl QuietScorer<'_> {
    /// A quiet move: by experience, in general and after the moves before it.
    #[inline]
    pub fn score(&self, mv: Move) -> i32 {
        let place = ContinuationRow::place(self.position.moved_piece(mv), mv.to());
        let [last, own, older] = self.past.map(|replies| replies.at(place));
        let params = self.params;
        let sum = params.order_quiet_history() * self.general.value(self.threats, mv)
            + params.order_continuation_1() * last
            + params.order_continuation_2() * own
            + params.order_continuation_4() * older;
        sum >> 7
    }
}
