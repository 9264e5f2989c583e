//! Zobrist keys of positions and of groups of pieces.
//!
//! `build.rs` makes the random numbers from a fixed seed.
//! Source: <https://www.chessprogramming.org/Zobrist_Hashing>

use crate::{Bitboard, Board, Color, Piece, PieceKind, Square};

include!(concat!(env!("OUT_DIR"), "/zobrist_keys.rs"));

/// A 64-bit hash. Equal positions have equal keys; others almost never.
pub type Key = u64;

/// The keys of a position, all updated with every move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Keys {
    /// Pieces, side to move, castling rights and en-passant file.
    pub(crate) position: Key,
    /// The keys of groups of pieces, by [`SubKey`].
    sub_keys: [Key; SubKey::COUNT],
}

/// The groups of pieces that have a key of their own.
#[derive(Clone, Copy)]
pub(crate) enum SubKey {
    /// The pawns of both sides.
    Pawn,
    /// The knights and bishops of both sides.
    Minor,
    /// White's pieces other than pawns.
    WhiteNonPawn,
    /// Black's pieces other than pawns.
    BlackNonPawn,
    /// Never read. A piece of a single group updates this too, so that every piece updates
    /// exactly two sub-keys and the update needs no branch.
    Unused,
}

impl SubKey {
    const COUNT: usize = 5;

    /// The non-pawn key of a side.
    #[inline]
    pub(crate) const fn non_pawn(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteNonPawn,
            Color::Black => Self::BlackNonPawn,
        }
    }
}

/// The two sub-keys that each piece updates.
const SUB_KEYS: [[SubKey; 2]; Piece::COUNT] = {
    let mut sub_keys = [[SubKey::Unused; 2]; Piece::COUNT];
    let mut index = 0;
    while index < sub_keys.len() {
        let piece = Piece::ALL[index];
        sub_keys[index] = match piece.kind() {
            PieceKind::Pawn => [SubKey::Pawn, SubKey::Unused],
            PieceKind::Knight | PieceKind::Bishop => {
                [SubKey::Minor, SubKey::non_pawn(piece.color())]
            }
            PieceKind::Rook | PieceKind::Queen | PieceKind::King => {
                [SubKey::Unused, SubKey::non_pawn(piece.color())]
            }
        };
        index += 1;
    }
    sub_keys
};

impl Keys {
    /// The keys of a board, computed from scratch.
    pub(crate) fn of(board: &Board) -> Self {
        let mut keys = Self::default();
        for piece in Piece::ALL {
            for square in board.of(piece.color(), piece.kind()) {
                keys.toggle(piece, square);
            }
        }
        keys.position ^= state_key(board);
        keys
    }

    /// Adds a piece on a square, or removes it.
    pub(crate) fn toggle(&mut self, piece: Piece, square: Square) {
        self.update(piece, piece_key(piece, square));
    }

    /// Moves a piece from one square to another.
    pub(crate) fn slide(&mut self, piece: Piece, from: Square, to: Square) {
        self.update(piece, piece_key(piece, from) ^ piece_key(piece, to));
    }

    /// Exclusive-ors `delta` into the position's key and the sub-keys of `piece`.
    #[inline]
    fn update(&mut self, piece: Piece, delta: Key) {
        self.position ^= delta;
        for sub_key in SUB_KEYS[piece as usize] {
            self.sub_keys[sub_key as usize] ^= delta;
        }
    }

    /// The key of one group of pieces.
    pub(crate) const fn sub_key(&self, sub_key: SubKey) -> Key {
        self.sub_keys[sub_key as usize]
    }
}

pub(crate) fn piece_key(piece: Piece, square: Square) -> Key {
    PIECE_KEYS[piece as usize * 64 + square as usize]
}

/// The key of Black to move.
pub(crate) fn side_key() -> Key {
    SIDE_KEY[0]
}

/// The key of the castling rights of a set of rooks.
#[inline]
pub(crate) fn castling_key(rooks: Bitboard) -> Key {
    rooks.into_iter().fold(0, |key, rook| {
        // The rook is on its first rank: White's in the lower half of the indices.
        let color = rook as usize >> 5;
        key ^ CASTLING_KEYS[color * 8 + rook.file() as usize]
    })
}

#[inline]
pub(crate) fn en_passant_key(target: Option<Square>) -> Key {
    target.map_or(0, |target| EN_PASSANT_KEYS[target.file() as usize])
}

/// The key of everything but the pieces: side to move, castling rights, en-passant file.
#[inline]
pub(crate) fn state_key(board: &Board) -> Key {
    let side = if board.side_to_move() == Color::Black { side_key() } else { 0 };
    side ^ castling_key(board.castling()) ^ en_passant_key(board.en_passant())
}
