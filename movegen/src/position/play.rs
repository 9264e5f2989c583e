//! Making and unmaking moves.

use super::{Position, State};
use crate::castling::{castling_targets, lost_castling_rights};
use crate::generate::Masks;
use crate::side_to_move::for_side_to_move;
use crate::text::{IllegalMove, explain};
use crate::zobrist::{Key, castling_key, en_passant_key, piece_key, side_key};
use crate::{Bitboard, Move, MoveKind, Piece, PieceKind, Square, UciMove};

/// `put`, `take` and `slide` alone change the pieces: board, mailbox and keys together.
impl State {
    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        self.board.toggle(piece.color(), piece.kind(), square.bitboard());
        self.mailbox[square] = Some(piece);
        self.keys.toggle(piece, square);
    }

    #[inline]
    fn take(&mut self, piece: Piece, square: Square) {
        self.board.toggle(piece.color(), piece.kind(), square.bitboard());
        self.mailbox[square] = None;
        self.keys.toggle(piece, square);
    }

    #[inline]
    fn slide(&mut self, piece: Piece, from: Square, to: Square) {
        let both = from.bitboard() | to.bitboard();
        self.board.toggle(piece.color(), piece.kind(), both);
        self.mailbox[from] = None;
        self.mailbox[to] = Some(piece);
        self.keys.slide(piece, from, to);
    }

    fn play(&mut self, mv: Move) {
        let us = self.board.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let piece = self.mailbox[from].expect("invariant: a legal move moves a piece");
        self.pass_turn();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if piece.kind() == PieceKind::Pawn {
            self.halfmove_clock = 0;
        }
        if mv.is_plain() {
            if let Some(captured) = self.mailbox[to] {
                self.take(captured, to);
                self.halfmove_clock = 0;
            }
            self.slide(piece, from, to);
            if mv.kind() == MoveKind::DoublePush {
                self.set_en_passant(to);
            }
        } else {
            self.play_special(mv, piece);
        }
        self.remove_castling(lost_castling_rights(us, piece.kind(), from, to));
        self.masks = Masks::of(&self.board, !us);
    }

    /// Castling, en passant and promotions.
    #[cold]
    fn play_special(&mut self, mv: Move, piece: Piece) {
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castle() {
            return self.castle(piece, from, to);
        }
        let Some(kind) = mv.promotion() else {
            let captured = Square::new(to.file(), from.rank());
            self.take(Piece::new(!piece.color(), PieceKind::Pawn), captured);
            return self.slide(piece, from, to);
        };
        if let Some(captured) = self.mailbox[to] {
            self.take(captured, to);
        }
        self.take(piece, from);
        self.put(Piece::new(piece.color(), kind), to);
    }

    /// King and rook are removed first: in Chess960 one may land where the other stood.
    fn castle(&mut self, king: Piece, from: Square, rook_from: Square) {
        let rook = Piece::new(king.color(), PieceKind::Rook);
        let (king_to, rook_to) = castling_targets(from, rook_from);
        self.take(king, from);
        self.take(rook, rook_from);
        self.put(king, king_to);
        self.put(rook, rook_to);
    }

    /// Sets the en-passant square after a double push to `to`, if a legal capture exists.
    fn set_en_passant(&mut self, to: Square) {
        let us = self.board.side_to_move();
        let target = for_side_to_move!(us, Us => self.board.set_en_passant::<Us>(to));
        self.keys.position ^= en_passant_key(target);
    }

    #[inline]
    fn remove_castling(&mut self, rooks: Bitboard) {
        let lost = self.board.castling() & rooks;
        if lost.any() {
            self.board.remove_castling(lost);
            self.keys.position ^= castling_key(lost);
        }
    }

    #[inline]
    fn pass_turn(&mut self) {
        self.keys.position ^= side_key() ^ en_passant_key(self.board.en_passant());
        let us = self.board.pass_turn();
        self.plies_since_null = self.plies_since_null.saturating_add(1);
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
    }
}

impl Position {
    /// Makes a legal move. [`Position::unmake`] unmakes it.
    ///
    /// Debug builds compare everything updated incrementally with a recomputation.
    ///
    /// The move must be legal, as those of [`Position::legal_moves`], [`Position::resolve`] and
    /// [`Position::parse_san`] are. An illegal one panics in debug builds; in others, where a search
    /// spends its time here, it may panic or leave a position that no game reaches.
    /// [`Position::try_make`] takes any move.
    #[inline]
    pub fn make(&mut self, mv: Move) {
        debug_assert!(self.is_legal(mv), "{mv:?} is not legal in {:?}", self.state.board);
        self.push_state();
        self.state.play(mv);
        self.find_repetition();
        #[cfg(debug_assertions)]
        self.audit();
    }

    /// Makes any move if it is legal.
    ///
    /// # Errors
    /// What is illegal about it; the position stays as it is.
    ///
    /// ```
    /// use tamarin_movegen::{IllegalMove, Move, MoveKind, Position, Square};
    /// let mut position = Position::startpos();
    /// let rook = Move::new(Square::A1, Square::H8, MoveKind::Quiet);
    /// assert_eq!(position.try_make(rook), Err(IllegalMove::Unreachable));
    /// assert_eq!(position, Position::startpos());
    /// ```
    pub fn try_make(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if self.is_legal(mv) {
            self.make(mv);
            return Ok(());
        }
        let text = UciMove::from(mv);
        let has_legal = self.legal_moves().into_iter().any(|legal| UciMove::from(legal) == text);
        Err(match has_legal {
            true => IllegalMove::WrongKind,
            false => explain(self, text.from, text.to, text.promotion),
        })
    }

    /// Unmakes the last move, null moves included.
    ///
    /// # Panics
    /// If there is no move to unmake.
    #[inline]
    pub fn unmake(&mut self) {
        self.state = self.undo.pop().expect("a move to unmake");
        self.key_history.pop();
        #[cfg(debug_assertions)]
        self.audit();
    }

    /// Passes the turn without a move. The side to move must not be in check.
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check(), "a null move would leave the king to be taken");
        self.push_state();
        self.state.pass_turn();
        self.state.masks = Masks::of(&self.state.board, self.side_to_move());
        self.state.halfmove_clock = self.state.halfmove_clock.saturating_add(1);
        self.state.plies_since_null = 0;
        self.state.repetition_distance = 0;
        self.state.is_threefold = false;
        #[cfg(debug_assertions)]
        self.audit();
    }

    /// Unmakes a null move.
    ///
    /// # Panics
    /// If there is no move to unmake.
    pub fn unmake_null(&mut self) {
        self.unmake();
    }

    /// Empties the undo stack, which frees memory: the moves so far can no longer be unmade.
    /// Repetitions of earlier positions are still detected.
    pub fn clear_undo(&mut self) {
        self.undo = Vec::new();
    }

    /// How many moves can be unmade.
    pub const fn plies(&self) -> usize {
        self.undo.len()
    }

    #[inline]
    fn push_state(&mut self) {
        self.undo.push(self.state);
        self.key_history.push(self.key());
    }

    /// The key after a move, as far as a prefetch from the transposition table needs it: not
    /// exact for castling, en passant, promotions and moves that change castling rights or
    /// allow an en-passant capture.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// let mv = position.parse_san("Nf3").unwrap();
    /// let expected = position.key_after(mv);
    /// position.make(mv);
    /// assert_eq!(position.key(), expected);
    /// ```
    #[inline]
    pub fn key_after(&self, mv: Move) -> Key {
        let Some(piece) = self.piece_at(mv.from()) else { return self.key() };
        self.key()
            ^ side_key()
            ^ en_passant_key(self.en_passant())
            ^ piece_key(piece, mv.from())
            ^ piece_key(piece, mv.to())
            ^ self.piece_at(mv.to()).map_or(0, |captured| piece_key(captured, mv.to()))
    }

    /// The key after a null move.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// position.make(position.parse_san("e4").unwrap());
    /// let expected = position.key_after_null();
    /// position.make_null();
    /// assert_eq!(position.key(), expected);
    /// ```
    pub fn key_after_null(&self) -> Key {
        self.key() ^ side_key() ^ en_passant_key(self.en_passant())
    }
}
