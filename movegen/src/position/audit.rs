//! Recomputes everything that is updated incrementally.

use super::{Position, State};
use crate::generate::Masks;
use crate::zobrist::Keys;
use crate::{Bitboard, Board, PieceKind, Square};

impl Position {
    /// Compares everything that is updated incrementally with a recomputation. Debug builds
    /// do so after each move made and unmade, so every test that plays moves tests this too.
    ///
    /// # Panics
    /// If anything differs, saying what.
    pub fn audit(&self) {
        let State { board, mailbox, keys, masks, .. } = &self.state;
        for square in Square::ALL {
            assert_eq!(mailbox[square], board.piece_at(square), "mailbox of {square}");
        }
        let kinds = PieceKind::ALL.map(|kind| board.pieces(kind));
        assert_eq!(kinds.iter().fold(Bitboard::EMPTY, |all, &kind| all | kind), board.occupied());
        assert_eq!(kinds.iter().map(|kind| kind.len()).sum::<u32>(), board.occupied().len());
        let rebuilt =
            Board::from_parts(mailbox, board.side_to_move(), board.castling(), board.en_passant());
        assert_eq!(*board, rebuilt, "the board");
        assert_eq!(*keys, Keys::of(board), "the keys");
        let expected = Masks::of(board, board.side_to_move());
        assert_eq!(*masks, expected, "checkers and pins");
        assert_eq!(masks.checkers, board.checkers(), "checkers");
    }
}
