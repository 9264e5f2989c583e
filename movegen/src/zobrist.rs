//! Keys that identify positions, and the parts of positions a search keeps statistics on.
//!
//! The random numbers are made by `build.rs` from a fixed seed.
//! Source: <https://www.chessprogramming.org/Zobrist_Hashing>

use crate::{Bitboard, Board, Color, Piece, PieceKind, Square};

include!(concat!(env!("OUT_DIR"), "/zobrist_keys.rs"));

/// A 64-bit hash. Equal positions have equal keys; others almost never.
///
/// ```
/// use tamarin_movegen::{Key, Position};
/// let key_after = |moves: [&str; 3]| -> Key {
///     let mut position = Position::startpos();
///     moves.iter().for_each(|text| position.make(position.parse_san(text).unwrap()));
///     position.key()
/// };
/// assert_eq!(key_after(["Nf3", "Nf6", "Nc3"]), key_after(["Nc3", "Nf6", "Nf3"]));
/// ```
pub type Key = u64;

/// The keys of a position, all updated with every move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Keys {
    /// Pieces, side to move, castling rights and en-passant file.
    pub(crate) position: Key,
    /// The pieces alone, by [`Part`].
    parts: [Key; 6],
}

/// Some of the pieces of a position.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// The pawns.
    Pawns,
    /// The knights and bishops.
    Minors,
    /// The rooks and queens.
    Majors,
    /// Everything of White but the pawns.
    White,
    /// Everything of Black but the pawns.
    Black,
    /// What has no other part: it takes the change, so that none need be told apart.
    Rest,
}

/// The two parts that each piece belongs to.
const PARTS: [[Part; 2]; Piece::COUNT] = {
    let mut parts = [[Part::Rest; 2]; Piece::COUNT];
    let mut index = 0;
    while index < parts.len() {
        let piece = Piece::ALL[index];
        let of_color = match piece.color() {
            Color::White => Part::White,
            Color::Black => Part::Black,
        };
        parts[index] = match piece.kind() {
            PieceKind::Pawn => [Part::Pawns, Part::Rest],
            PieceKind::Knight | PieceKind::Bishop => [Part::Minors, of_color],
            PieceKind::Rook | PieceKind::Queen => [Part::Majors, of_color],
            PieceKind::King => [Part::Rest, of_color],
        };
        index += 1;
    }
    parts
};

impl Keys {
    /// The keys of a board, computed from nothing.
    pub(crate) fn of(board: &Board) -> Self {
        let mut keys = Self::default();
        for square in board.occupied() {
            if let Some(piece) = board.piece_at(square) {
                keys.toggle(piece, square);
            }
        }
        keys.position ^= state_key(board);
        keys
    }

    /// A piece appears on a square or disappears from it.
    #[inline]
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        self.change(piece, piece_key(piece, square));
    }

    /// A piece goes from one square to another.
    #[inline]
    pub(crate) fn slide(&mut self, piece: Piece, from: Square, to: Square) {
        self.change(piece, piece_key(piece, from) ^ piece_key(piece, to));
    }

    /// Without a branch: which piece moves cannot be foretold.
    #[inline]
    fn change(&mut self, piece: Piece, change: Key) {
        self.position ^= change;
        for part in PARTS[piece as usize] {
            self.parts[part as usize] ^= change;
        }
    }

    /// The key of some of the pieces.
    #[inline]
    pub(crate) const fn part(&self, part: Part) -> Key {
        self.parts[part as usize]
    }
}

#[inline]
pub(crate) fn piece_key(piece: Piece, square: Square) -> Key {
    PIECE_KEYS[piece as usize * 64 + square as usize]
}

/// The key of Black being to move.
#[inline]
pub(crate) fn side_key() -> Key {
    SIDE_KEY[0]
}

/// The keys of a set of rooks that may castle.
#[inline]
pub(crate) fn castling_key(rooks: Bitboard) -> Key {
    rooks.into_iter().fold(0, |key, rook| {
        // Rights are only kept on the first and the last rank.
        let color = rook as usize >> 5;
        key ^ CASTLING_KEYS[color * 8 + rook.file() as usize]
    })
}

#[inline]
pub(crate) fn en_passant_key(target: Option<Square>) -> Key {
    target.map_or(0, |target| EN_PASSANT_KEYS[target.file() as usize])
}

/// The part of the position's key that is not the pieces.
#[inline]
pub(crate) fn state_key(board: &Board) -> Key {
    let side = if board.side_to_move() == Color::Black { side_key() } else { 0 };
    side ^ castling_key(board.castling()) ^ en_passant_key(board.en_passant())
}
