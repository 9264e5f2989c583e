//! Which moves give check.

use super::Position;
use crate::board::castling_targets;
use crate::{
    Bitboard, Color, Move, MoveKind, PieceKind, Square, between, bishop_attacks, knight_attacks,
    line, pawn_attacks, piece_attacks, rook_attacks,
};

/// What decides whether a move gives check, computed once for a position.
///
/// ```
/// use tamarin_movegen::{CheckInfo, Position};
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
/// let info: CheckInfo = position.check_info(); // once, then each move is cheap
/// let mut moves = position.legal_moves().into_iter();
/// assert!(moves.any(|m| position.gives_check_with(m, &info)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// The king that may be checked.
    king: Square,
    /// From where each kind of piece would check; nowhere for a king.
    squares: [Bitboard; 6],
    /// Pieces of the side to move that uncover a check by leaving their line.
    discoverers: Bitboard,
}

impl Position {
    /// What [`Position::gives_check_with`] wants to know.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let position = Position::startpos();
    /// let info = position.check_info();
    /// assert!(!position.legal_moves().into_iter().any(|m| position.gives_check_with(m, &info)));
    /// ```
    #[must_use]
    pub fn check_info(&self) -> CheckInfo {
        let us = self.side_to_move();
        let king = self.king(!us);
        let occupied = self.occupied();
        let bishop = bishop_attacks(king, occupied);
        let rook = rook_attacks(king, occupied);
        CheckInfo {
            king,
            squares: [
                pawn_attacks(!us, king),
                knight_attacks(king),
                bishop,
                rook,
                bishop | rook,
                Bitboard::EMPTY,
            ],
            discoverers: self.shields(king, us) & self.color(us),
        }
    }

    /// Pieces of either color that alone stand between `king` and a slider of `attacker`.
    pub(crate) fn shields(&self, king: Square, attacker: Color) -> Bitboard {
        let board = self.board();
        let snipers = (bishop_attacks(king, Bitboard::EMPTY) & board.diagonal_sliders(attacker))
            | (rook_attacks(king, Bitboard::EMPTY) & board.straight_sliders(attacker));
        let mut shields = Bitboard::EMPTY;
        for sniper in snipers {
            let blockers = between(king, sniper) & self.occupied();
            if !blockers.several() {
                shields |= blockers;
            }
        }
        shields
    }

    /// Does a legal move give check?
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    /// assert!(position.gives_check(position.parse_san("Ra8").unwrap()));
    /// assert!(!position.gives_check(position.parse_san("Ra7").unwrap()));
    /// ```
    #[must_use]
    pub fn gives_check(&self, m: Move) -> bool {
        self.gives_check_with(m, &self.check_info())
    }

    /// Does a legal move give check? `info` must be this position's [`Position::check_info`].
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let position = Position::from_fen("4k3/8/8/8/4B3/8/8/4RK2 w - - 0 1").unwrap();
    /// let discovered = position.parse_san("Bd3").unwrap();
    /// assert!(position.gives_check_with(discovered, &position.check_info()));
    /// ```
    #[inline]
    #[must_use]
    pub fn gives_check_with(&self, m: Move, info: &CheckInfo) -> bool {
        let (from, to) = (m.from(), m.to());
        if !m.is_plain() {
            return self.uncommon_checks(m, info);
        }
        let kind = self.moved_piece(m).kind();
        info.squares[kind as usize].has(to)
            || (info.discoverers.has(from) && !line(info.king, from).has(to))
    }

    /// The same for castles, captures en passant and promotions.
    fn uncommon_checks(&self, m: Move, info: &CheckInfo) -> bool {
        let (from, to) = (m.from(), m.to());
        if m.is_en_passant() && info.squares[PieceKind::Pawn as usize].has(to) {
            return true;
        }
        if info.discoverers.has(from) && (m.is_castle() || !line(info.king, from).has(to)) {
            return true;
        }
        match m.kind() {
            MoveKind::Castle => self.castle_checks(from, to, info.king),
            MoveKind::EnPassant => self.en_passant_checks(from, to, info.king),
            _ => m.promotion().is_some_and(|kind| {
                piece_attacks(kind, to, self.occupied().without(from)).has(info.king)
            }),
        }
    }

    fn castle_checks(&self, king: Square, rook: Square, enemy: Square) -> bool {
        let (king_to, rook_to) = castling_targets(king, rook);
        let occupied = self.occupied().without(king).without(rook).with(king_to).with(rook_to);
        rook_attacks(rook_to, occupied).has(enemy)
    }

    /// Two pawns leave their lines at once.
    fn en_passant_checks(&self, from: Square, to: Square, enemy: Square) -> bool {
        let us = self.side_to_move();
        let captured = Square::new(to.file(), from.rank());
        let occupied = self.occupied().without(from).without(captured).with(to);
        let board = self.board();
        ((bishop_attacks(enemy, occupied) & board.diagonal_sliders(us))
            | (rook_attacks(enemy, occupied) & board.straight_sliders(us)))
        .any()
    }
}
