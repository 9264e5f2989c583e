//! Making moves and taking them back.

use super::{Position, State};
use crate::board::{castling_lost, castling_targets};
use crate::generate::Masks;
use crate::side::for_side;
use crate::zobrist::{Key, castling_key, en_passant_key, piece_key, side_key};
use crate::{Bitboard, Move, MoveKind, Piece, PieceKind, Square};

/// The one door through which pieces, mailbox and keys change together.
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

    fn play(&mut self, m: Move) {
        let us = self.board.side_to_move();
        let (from, to) = (m.from(), m.to());
        let piece = self.mailbox[from].expect("invariant: a legal move moves a piece");
        self.pass_turn();
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        if piece.kind() == PieceKind::Pawn {
            self.halfmove_clock = 0;
        }
        if m.is_plain() {
            if let Some(captured) = self.mailbox[to] {
                self.take(captured, to);
                self.halfmove_clock = 0;
            }
            self.slide(piece, from, to);
            if m.kind() == MoveKind::DoublePush {
                self.open_en_passant(to);
            }
        } else {
            self.play_special(m, piece);
        }
        self.lose_castling(castling_lost(us, piece.kind(), from, to));
        self.masks = Masks::of(&self.board, !us);
    }

    /// A castle, a capture en passant or a promotion.
    #[cold]
    fn play_special(&mut self, m: Move, piece: Piece) {
        let (from, to) = (m.from(), m.to());
        if m.is_castle() {
            return self.castle(piece, from, to);
        }
        let Some(kind) = m.promotion() else {
            let passed = Square::new(to.file(), from.rank());
            self.take(Piece::new(!piece.color(), PieceKind::Pawn), passed);
            return self.slide(piece, from, to);
        };
        if let Some(captured) = self.mailbox[to] {
            self.take(captured, to);
        }
        self.take(piece, from);
        self.put(Piece::new(piece.color(), kind), to);
    }

    /// King and rook are taken up first: in Chess960 one may land where the other stood.
    fn castle(&mut self, king: Piece, from: Square, rook_from: Square) {
        let rook = Piece::new(king.color(), PieceKind::Rook);
        let (king_to, rook_to) = castling_targets(from, rook_from);
        self.take(king, from);
        self.take(rook, rook_from);
        self.put(king, king_to);
        self.put(rook, rook_to);
    }

    /// A pawn has just moved two squares to `to`; can the side to move capture it in passing?
    fn open_en_passant(&mut self, to: Square) {
        let target = for_side!(self.board.side_to_move(), S => self.board.open_en_passant::<S>(to));
        self.keys.position ^= en_passant_key(target);
    }

    #[inline]
    fn lose_castling(&mut self, lost: Bitboard) {
        let lost = self.board.castling() & lost;
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
    /// Plays a legal move. [`Position::unmake`] takes it back.
    ///
    /// In debug builds everything kept incrementally is compared with a recomputation.
    ///
    /// # Panics
    /// May panic if the move is not legal; see [`Position::is_legal`].
    ///
    /// ```
    /// use tamarin_movegen::{Piece, Position, Square};
    /// let mut position = Position::startpos();
    /// position.make(position.parse_san("Nf3").unwrap());
    /// assert_eq!(position.piece_at(Square::F3), Some(Piece::WhiteKnight));
    /// ```
    #[inline]
    pub fn make(&mut self, m: Move) {
        debug_assert!(self.is_legal(m), "{m:?} is not legal in {:?}", self.now.board);
        self.remember();
        self.now.play(m);
        self.find_repetition();
        #[cfg(debug_assertions)]
        self.audit();
    }

    /// Takes the last move back, null moves included.
    ///
    /// # Panics
    /// If there is none to take back.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// position.make(position.parse_san("e4").unwrap());
    /// position.unmake();
    /// assert_eq!(position.key(), Position::startpos().key());
    /// ```
    #[inline]
    pub fn unmake(&mut self) {
        self.now = self.past.pop().expect("a move to take back");
        self.keys.pop();
        #[cfg(debug_assertions)]
        self.audit();
    }

    /// Passes the turn without a move. The side to move must not be in check.
    ///
    /// ```
    /// use tamarin_movegen::{Color, Position};
    /// let mut position = Position::startpos();
    /// position.make_null();
    /// assert_eq!(position.side_to_move(), Color::Black);
    /// ```
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check(), "a null move would leave the king to be taken");
        self.remember();
        self.now.pass_turn();
        self.now.masks = Masks::of(&self.now.board, self.side_to_move());
        self.now.halfmove_clock = self.now.halfmove_clock.saturating_add(1);
        self.now.plies_since_null = 0;
        self.now.repeats_after = 0;
        self.now.repeats_twice = false;
        #[cfg(debug_assertions)]
        self.audit();
    }

    /// Takes a null move back.
    ///
    /// # Panics
    /// If there is no move to take back.
    ///
    /// ```
    /// use tamarin_movegen::{Color, Position};
    /// let mut position = Position::startpos();
    /// position.make_null();
    /// position.unmake_null();
    /// assert_eq!(position.side_to_move(), Color::White);
    /// ```
    #[inline]
    pub fn unmake_null(&mut self) {
        self.unmake();
    }

    /// Gives up taking back the moves so far, which frees memory. Repetitions of earlier
    /// positions are still seen.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// position.make(position.parse_san("e4").unwrap());
    /// position.forget_history();
    /// assert_eq!(position.plies(), 0);
    /// ```
    pub fn forget_history(&mut self) {
        self.past = Vec::new();
    }

    /// How many moves can be taken back.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// position.make(position.parse_san("e4").unwrap());
    /// assert_eq!(position.plies(), 1);
    /// ```
    #[inline]
    #[must_use]
    pub const fn plies(&self) -> usize {
        self.past.len()
    }

    #[inline]
    fn remember(&mut self) {
        // Straight into the list: `push` would copy it twice, by way of the stack.
        self.past.extend_from_slice(core::slice::from_ref(&self.now));
        self.keys.push(self.now.keys.position);
    }

    /// What [`Position::key`] will be after most moves: good enough to fetch a table's
    /// entry early. Castles, promotions, captures en passant and moves that change the
    /// rights to castle or to capture en passant have another key.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// let m = position.parse_san("Nf3").unwrap();
    /// let expected = position.key_after(m);
    /// position.make(m);
    /// assert_eq!(position.key(), expected);
    /// ```
    #[inline]
    #[must_use]
    pub fn key_after(&self, m: Move) -> Key {
        let Some(piece) = self.piece_at(m.from()) else { return self.key() };
        self.key()
            ^ side_key()
            ^ en_passant_key(self.en_passant())
            ^ piece_key(piece, m.from())
            ^ piece_key(piece, m.to())
            ^ self.piece_at(m.to()).map_or(0, |captured| piece_key(captured, m.to()))
    }

    /// The key that [`Position::make_null`] will lead to.
    ///
    /// ```
    /// use tamarin_movegen::Position;
    /// let mut position = Position::startpos();
    /// position.make(position.parse_san("e4").unwrap());
    /// let expected = position.key_after_null();
    /// position.make_null();
    /// assert_eq!(position.key(), expected);
    /// ```
    #[inline]
    #[must_use]
    pub fn key_after_null(&self) -> Key {
        self.key() ^ side_key() ^ en_passant_key(self.en_passant())
    }
}
