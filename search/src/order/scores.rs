//! The scores that moves are ordered by.

use tamarin_movegen::{
    Bitboard, CheckInfo, Color, Move, PieceKind, Position, SEE_VALUES, pawns_attacks, piece_attacks,
};

use crate::history::{ColorHistory, ContinuationContext, ContinuationRow, Histories, PawnRow};
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
            pawns: self.histories.pawn.row(self.position.pawn_key()),
            threats: self.threats,
            lesser: LesserThreats::new(self.position, !color),
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
    threats: Bitboard,
    lesser: LesserThreats,
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
        weighted(params.order_quiet_history(), self.quiet.value(self.threats, mv))
            + weighted(params.order_continuation_1(), last)
            + weighted(params.order_continuation_2(), own)
            + weighted(params.order_continuation_4(), older)
            + weighted(params.order_pawn_history(), self.pawns.value(piece, mv.to()))
            + self.threat_score(piece.kind(), mv)
            + self.check_score(mv)
    }

    /// The bonus of a piece that leaves a square where lesser pieces attack it, the same less
    /// for one that enters such a square.
    #[inline]
    fn threat_score(&self, kind: PieceKind, mv: Move) -> i32 {
        let attacked = self.lesser.on(kind);
        let weight = match kind {
            PieceKind::Knight | PieceKind::Bishop => self.params.order_threat_minor(),
            PieceKind::Rook => self.params.order_threat_rook(),
            PieceKind::Queen => self.params.order_threat_queen(),
            PieceKind::Pawn | PieceKind::King => return 0,
        };
        weight * (i32::from(attacked.has(mv.from())) - i32::from(attacked.has(mv.to())))
    }

    #[inline]
    fn check_score(&self, mv: Move) -> i32 {
        let safe = self.position.gives_check_with(mv, &self.checks)
            && self.position.see_at_least(mv, self.params.order_check_see());
        if safe { self.params.order_check() } else { 0 }
    }
}

/// What pieces of lesser value attack.
struct LesserThreats {
    minor: Bitboard,
    rook: Bitboard,
    queen: Bitboard,
}

impl LesserThreats {
    /// The threats of the pieces of `color`.
    fn new(position: &Position, color: Color) -> Self {
        let occupied = position.occupied();
        let by = |kind| {
            position.of(color, kind).into_iter().fold(Bitboard::EMPTY, |attacked, square| {
                attacked | piece_attacks(kind, square, occupied)
            })
        };
        let minor = pawns_attacks(color, position.of(color, PieceKind::Pawn));
        let rook = minor | by(PieceKind::Knight) | by(PieceKind::Bishop);
        let queen = rook | by(PieceKind::Rook);
        Self { minor, rook, queen }
    }

    /// Where a piece of this kind is attacked by a lesser one; nowhere for pawns and kings.
    #[inline]
    fn on(&self, kind: PieceKind) -> Bitboard {
        match kind {
            PieceKind::Knight | PieceKind::Bishop => self.minor,
            PieceKind::Rook => self.rook,
            PieceKind::Queen => self.queen,
            PieceKind::Pawn | PieceKind::King => Bitboard::EMPTY,
        }
    }
}

/// A value times a weight in 1/128, rounded down.
#[inline]
fn weighted(weight: i32, value: i32) -> i32 {
    (weight * value) >> 7
}
