//! The scores that moves are ordered by.

use tamarin_base::formula::weighted;
use tamarin_base::params::Params;
use tamarin_movegen::{CheckInfo, Move, PieceKind, Position, SEE_VALUES};

use crate::history::{ColorHistory, ContinuationContext, ContinuationRow, Histories, PawnRow};
use crate::threats::Threats;

/// What the scores of a node's moves depend on.
#[derive(Clone, Copy)]
pub(crate) struct Scorer<'a> {
    pub params: &'a Params,
    pub position: &'a Position,
    pub histories: &'a Histories<'a>,
    /// The moves before the node.
    pub continuation: &'a ContinuationContext,
    /// What the opponent attacks.
    pub threats: &'a Threats,
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
            pawns: self.histories.pawn.row(self.position.pawn_key()),
            threats: self.threats,
            checks: self.position.check_info(),
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
    pawns: &'a PawnRow,
    threats: &'a Threats,
    checks: CheckInfo,
}

impl QuietScorer<'_> {
    /// Quiet moves: by quiet, pawn and continuation history, the threats of lesser pieces that
    /// they escape or run into, and checks that lose little.
    #[inline]
    pub fn score(&self, mv: Move) -> i32 {
        let piece = self.position.moved_piece(mv);
        let index = ContinuationRow::index(piece, mv.to());
        let [last, own, older] = self.rows.map(|row| row.at(index));
        let params = self.params;
        weighted(params.order_quiet_history(), self.quiet.value(self.threats.all, mv))
            + weighted(params.order_continuation_1(), last)
            + weighted(params.order_continuation_2(), own)
            + weighted(params.order_continuation_4(), older)
            + weighted(params.order_pawn_history(), self.pawns.value(piece, mv.to()))
            + self.threat_score(piece.kind(), mv)
            + self.check_score(piece.kind(), mv)
    }

    /// The bonus of a piece that leaves a square where lesser pieces attack it, the same less
    /// for one that enters such a square.
    #[inline]
    fn threat_score(&self, kind: PieceKind, mv: Move) -> i32 {
        let attacked = self.threats.by_lesser_than(kind);
        let weight = match kind {
            PieceKind::Knight | PieceKind::Bishop => self.params.order_threat_minor(),
            PieceKind::Rook => self.params.order_threat_rook(),
            PieceKind::Queen => self.params.order_threat_queen(),
            PieceKind::Pawn | PieceKind::King => return 0,
        };
        weight * (i32::from(attacked.has(mv.from())) - i32::from(attacked.has(mv.to())))
    }

    /// The bonus of a check, not a discovered one, that loses little by static exchange.
    #[inline]
    fn check_score(&self, kind: PieceKind, mv: Move) -> i32 {
        let safe = self.checks.check_squares(kind).has(mv.to())
            && self.position.see_at_least(mv, self.params.order_check_see());
        if safe { self.params.order_check() } else { 0 }
    }
}
