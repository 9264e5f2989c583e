//! Which moves give check.

use super::Position;
use crate::castling::castling_targets;
use crate::{
    Bitboard, Move, MoveKind, PieceKind, Square, bishop_attacks, knight_attacks, line,
    pawn_attacks, piece_attacks, rook_attacks, slider_blockers,
};

/// Check squares and discovered-check candidates of the side to move, computed once for a
/// position.
///
/// ```
/// use tamarin_movegen::{CheckInfo, Position};
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
/// let info: CheckInfo = position.check_info(); // once, then each move is cheap
/// let mut moves = position.legal_moves().into_iter();
/// assert!(moves.any(|mv| position.gives_check_with(mv, &info)));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    /// The king of the side not to move.
    enemy_king: Square,
    /// The check squares: from where a piece of each kind attacks the enemy king, `[kind]`.
    check_squares: [Bitboard; 6],
    /// Own pieces that alone block an own slider from the enemy king: leaving the line gives
    /// a discovered check.
    discovered_check_candidates: Bitboard,
}

impl CheckInfo {
    /// From where a piece of this kind attacks the enemy king.
    pub const fn check_squares(&self, kind: PieceKind) -> Bitboard {
        self.check_squares[kind as usize]
    }
}

impl Position {
    /// The information that [`Position::gives_check_with`] needs.
    pub fn check_info(&self) -> CheckInfo {
        let us = self.side_to_move();
        let king = self.king(!us);
        let occupied = self.occupied();
        let bishop = bishop_attacks(king, occupied);
        let rook = rook_attacks(king, occupied);
        let board = self.board();
        let blockers = slider_blockers(
            king,
            board.diagonal_sliders(us),
            board.orthogonal_sliders(us),
            occupied,
        );
        CheckInfo {
            enemy_king: king,
            check_squares: [
                pawn_attacks(!us, king),
                knight_attacks(king),
                bishop,
                rook,
                bishop | rook,
                Bitboard::EMPTY,
            ],
            discovered_check_candidates: blockers & self.color(us),
        }
    }

    /// Returns `true` if a legal move gives check.
    pub fn gives_check(&self, mv: Move) -> bool {
        self.gives_check_with(mv, &self.check_info())
    }

    /// Returns `true` if a legal move gives check. `info` must be this position's
    /// [`Position::check_info`].
    #[inline]
    pub fn gives_check_with(&self, mv: Move, info: &CheckInfo) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if !mv.is_plain() {
            return self.special_move_gives_check(mv, info);
        }
        let kind = self.moved_piece(mv).kind();
        info.check_squares[kind as usize].has(to)
            || (info.discovered_check_candidates.has(from) && !line(info.enemy_king, from).has(to))
    }

    /// The same for castling, en passant and promotions.
    fn special_move_gives_check(&self, mv: Move, info: &CheckInfo) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_en_passant() && info.check_squares[PieceKind::Pawn as usize].has(to) {
            return true;
        }
        if info.discovered_check_candidates.has(from)
            && (mv.is_castle() || !line(info.enemy_king, from).has(to))
        {
            return true;
        }
        match mv.kind() {
            MoveKind::Castle => self.castling_gives_check(from, to, info.enemy_king),
            MoveKind::EnPassant => self.en_passant_gives_check(from, to, info.enemy_king),
            _ => mv.promotion().is_some_and(|kind| {
                piece_attacks(kind, to, self.occupied().without(from)).has(info.enemy_king)
            }),
        }
    }

    fn castling_gives_check(&self, king: Square, rook: Square, enemy_king: Square) -> bool {
        let (king_to, rook_to) = castling_targets(king, rook);
        let occupied = self.occupied().without(king).without(rook).with(king_to).with(rook_to);
        rook_attacks(rook_to, occupied).has(enemy_king)
    }

    /// Returns `true` if an own slider sees the enemy king once both pawns have left their squares.
    fn en_passant_gives_check(&self, from: Square, to: Square, enemy_king: Square) -> bool {
        let us = self.side_to_move();
        let captured = Square::new(to.file(), from.rank());
        let occupied = self.occupied().without(from).without(captured).with(to);
        let board = self.board();
        ((bishop_attacks(enemy_king, occupied) & board.diagonal_sliders(us))
            | (rook_attacks(enemy_king, occupied) & board.orthogonal_sliders(us)))
        .any()
    }
}
