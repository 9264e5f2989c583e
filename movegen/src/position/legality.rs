//! Legality of any move, such as one from the transposition table.

use super::Position;
use crate::castling::home_rank;
use crate::generate::{attacked_by, can_castle};
use crate::side_to_move::{SideToMove, for_side_to_move};
use crate::{
    Bitboard, Move, MoveKind, PieceKind, Square, king_attacks, line, pawn_attacks, piece_attacks,
};

impl Position {
    /// Returns `true` if this move is legal here. Any [`Move`] may be passed.
    pub fn is_legal(&self, mv: Move) -> bool {
        for_side_to_move!(self.side_to_move(), Us => self.is_legal_for::<Us>(mv))
    }

    fn is_legal_for<Us: SideToMove>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_at(from) else { return false };
        if piece.color() != Us::COLOR {
            return false;
        }
        match mv.kind() {
            MoveKind::Castle => return self.is_legal_castle::<Us>(from, to),
            MoveKind::EnPassant => {
                return piece.kind() == PieceKind::Pawn
                    && self.en_passant() == Some(to)
                    && pawn_attacks(Us::COLOR, from).has(to)
                    && self.board().is_en_passant_safe::<Us>(from, to);
            }
            _ => {}
        }
        if mv.is_capture() != self.color(Us::Them::COLOR).has(to) || self.color(Us::COLOR).has(to) {
            return false;
        }
        match piece.kind() {
            PieceKind::Pawn => self.is_pawn_move::<Us>(mv) && self.leaves_king_safe::<Us>(from, to),
            _ if mv.is_promotion() || mv.kind() == MoveKind::DoublePush => false,
            PieceKind::King => {
                king_attacks(from).has(to)
                    && (self.attackers_to(to, self.occupied().without(from))
                        & self.color(Us::Them::COLOR))
                    .is_empty()
            }
            kind => {
                piece_attacks(kind, from, self.occupied()).has(to)
                    && self.leaves_king_safe::<Us>(from, to)
            }
        }
    }

    /// Returns `true` if the move of a pawn is pseudo-legal.
    fn is_pawn_move<Us: SideToMove>(&self, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_promotion() != Us::LAST_RANK.has(to) {
            return false;
        }
        if mv.is_capture() {
            return pawn_attacks(Us::COLOR, from).has(to);
        }
        let push = Us::push(from.bitboard()) - self.occupied();
        if mv.kind() == MoveKind::DoublePush {
            (Us::push(push & Us::THIRD_RANK) - self.occupied()).has(to)
        } else {
            push.has(to)
        }
    }

    /// Returns `true` if the pseudo-legal move of a piece other than the king ends every check and
    /// keeps to the piece's pin line.
    fn leaves_king_safe<Us: SideToMove>(&self, from: Square, to: Square) -> bool {
        let masks = &self.state.masks;
        let king = self.king(Us::COLOR);
        // Not the pin masks: the move may end on the pin line of another piece.
        let pin = if masks.pins().has(from) { line(king, from) } else { Bitboard::ALL };
        (masks.check_mask(king) & pin).has(to)
    }

    fn is_legal_castle<Us: SideToMove>(&self, king: Square, rook: Square) -> bool {
        let board = self.board();
        if king != board.king(Us::COLOR)
            || !(board.castling() & home_rank(Us::COLOR)).has(rook)
            || self.in_check()
        {
            return false;
        }
        let attacked = attacked_by(board, Us::Them::COLOR, board.occupied().without(king));
        can_castle(board, &self.state.masks, king, rook, attacked)
    }
}
