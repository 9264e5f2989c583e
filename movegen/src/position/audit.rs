//! Recomputes everything that is updated incrementally.

use super::{Position, State};
use crate::generate::Masks;
use crate::side_to_move::for_side_to_move;
use crate::zobrist::Keys;
use crate::{Bitboard, Color, Piece, PieceKind};

impl Position {
    /// Compares everything that is updated incrementally with a recomputation. Debug builds
    /// do so after each move made and unmade, so every test that plays moves tests this too.
    ///
    /// # Panics
    /// If anything differs, saying what.
    pub fn audit(&self) {
        let State { board, mailbox, keys, masks, .. } = &self.state;
        // Kinds do not overlap, colors do not overlap, both cover the same squares.
        let kinds = PieceKind::ALL.map(|kind| board.pieces(kind));
        assert_eq!(kinds.iter().fold(Bitboard::EMPTY, |all, &kind| all | kind), board.occupied());
        assert_eq!(kinds.iter().map(|kind| kind.len()).sum::<u32>(), board.occupied().len());
        let colors = Color::ALL.map(|color| board.color(color).len());
        assert_eq!(colors.iter().sum::<u32>(), board.occupied().len(), "a square of both colors");
        // The mailbox has the piece of these sets on each of these squares and none elsewhere.
        for piece in Piece::ALL {
            for square in board.of(piece.color(), piece.kind()) {
                assert_eq!(mailbox[square], Some(piece), "mailbox of {square}");
            }
        }
        let pieces = mailbox.0.iter().filter(|piece| piece.is_some()).count();
        assert_eq!(pieces as u32, board.occupied().len(), "pieces in the mailbox");
        let en_passant = board.en_passant().filter(
            |&target| for_side_to_move!(board.side_to_move(), Us => board.can_capture_en_passant::<Us>(target)),
        );
        assert_eq!(board.en_passant(), en_passant, "the en-passant square");
        assert_eq!(*keys, Keys::of(board), "the keys");
        let expected = Masks::of(board, board.side_to_move());
        assert_eq!(*masks, expected, "checkers and pins");
        assert_eq!(masks.checkers, board.checkers(), "checkers");
    }
}
