//! Is an arbitrary move legal? Asked of moves that come from a table or from outside.

use super::Position;
use crate::board::home_rank;
use crate::generate::{attacked_by, can_castle};
use crate::side::{Side, for_side};
use crate::{
    Bitboard, Move, MoveKind, PieceKind, Square, between, king_attacks, line, pawn_attacks,
    piece_attacks,
};

impl Position {
    /// Is this move legal here? Any [`Move`] may be asked about.
    ///
    /// ```
    /// use tamarin_movegen::{Move, Position};
    /// let position = Position::startpos();
    /// let legal = (0..=u16::MAX).filter_map(Move::from_bits).filter(|&m| position.is_legal(m));
    /// assert_eq!(legal.count(), 20);
    /// ```
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        for_side!(self.side_to_move(), S => self.is_legal_for::<S>(m))
    }

    fn is_legal_for<S: Side>(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_at(from) else { return false };
        if piece.color() != S::COLOR {
            return false;
        }
        match m.kind() {
            MoveKind::Castle => return self.is_legal_castle::<S>(from, to),
            MoveKind::EnPassant => {
                return piece.kind() == PieceKind::Pawn
                    && self.en_passant() == Some(to)
                    && pawn_attacks(S::COLOR, from).has(to)
                    && self.board().is_en_passant_safe::<S>(from, to);
            }
            _ => {}
        }
        if m.is_capture() != self.color(S::Them::COLOR).has(to) || self.color(S::COLOR).has(to) {
            return false;
        }
        match piece.kind() {
            PieceKind::Pawn => self.is_pawn_step::<S>(m) && self.leaves_king_safe::<S>(from, to),
            _ if m.is_promotion() || m.kind() == MoveKind::DoublePush => false,
            PieceKind::King => {
                king_attacks(from).has(to)
                    && (self.attackers_to(to, self.occupied().without(from))
                        & self.color(S::Them::COLOR))
                    .is_empty()
            }
            kind => {
                piece_attacks(kind, from, self.occupied()).has(to)
                    && self.leaves_king_safe::<S>(from, to)
            }
        }
    }

    /// Does a pawn move like this, king safety aside?
    fn is_pawn_step<S: Side>(&self, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        if m.is_promotion() != S::LAST_RANK.has(to) {
            return false;
        }
        if m.is_capture() {
            return pawn_attacks(S::COLOR, from).has(to);
        }
        let once = S::advance(from.bitboard()) - self.occupied();
        if m.kind() == MoveKind::DoublePush {
            (S::advance(once & S::THIRD_RANK) - self.occupied()).has(to)
        } else {
            once.has(to)
        }
    }

    /// Does a piece other than the king, that moves like this, answer every check and
    /// stay on its pin's line?
    fn leaves_king_safe<S: Side>(&self, from: Square, to: Square) -> bool {
        let masks = &self.now.masks;
        let king = self.king(S::COLOR);
        let answers = match masks.checkers.first() {
            None => Bitboard::ALL,
            Some(_) if masks.checkers.several() => Bitboard::EMPTY,
            Some(checker) => between(king, checker).with(checker),
        };
        // Not the masks themselves: a bishop pinned on a rank may step onto another line
        // of the same mask.
        let line = if masks.pins().has(from) { line(king, from) } else { Bitboard::ALL };
        (answers & line).has(to)
    }

    fn is_legal_castle<S: Side>(&self, king: Square, rook: Square) -> bool {
        let board = self.board();
        if king != board.king(S::COLOR)
            || !(board.castling() & home_rank(S::COLOR)).has(rook)
            || self.in_check()
        {
            return false;
        }
        let attacked = attacked_by(board, S::Them::COLOR, board.occupied().without(king));
        can_castle(board, &self.now.masks, king, rook, attacked)
    }
}
