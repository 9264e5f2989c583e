//! A position to learn from in 32 bytes.

use tamarin_movegen::{Bitboard, Color, Piece, PieceKind, Position, Setup, Square};

use crate::data::GameResult;

/// A position to learn from, seen by the side to move: ranks are flipped if that is Black, and
/// "own" pieces are those of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    occupied: Bitboard,
    /// Four bits a piece, in the order of the squares: its kind, and [`ENEMY`].
    pieces: [u8; 16],
    /// Its score in engine units, the side to move's view.
    pub score: i16,
    /// Half points of the side to move: 0, 1 or 2, or [`NO_RESULT`].
    half_points: u8,
}

const _: () = assert!(size_of::<Record>() == 32);

pub const PACKED: usize = 27;

/// Half points of a position of no game.
const NO_RESULT: u8 = 3;

/// The bit of a piece of the side that is not to move.
const ENEMY: u8 = 8;

impl Record {
    /// A position, its score in engine units (White's view), and how its game ended, if it is of
    /// one.
    pub fn new(position: &Position, white_score: i16, outcome: Option<GameResult>) -> Self {
        let us = position.side_to_move();
        let (occupied, score) = match us {
            Color::White => (position.occupied(), white_score),
            Color::Black => (position.occupied().flip_ranks(), white_score.saturating_neg()),
        };
        let half_points = match (outcome.map(|outcome| outcome.index() as u8), us) {
            (Some(white), Color::White) => white,
            (Some(white), Color::Black) => 2 - white,
            (None, _) => NO_RESULT,
        };
        let mut pieces = [0; 16];
        for (index, square) in occupied.into_iter().enumerate() {
            let Some(piece) = position.piece_at(square.relative_to(us)) else { continue };
            let side = if piece.color() == us { Color::White } else { Color::Black };
            pieces[index / 2] |= code_of(side, piece.kind()) << (4 * (index % 2));
        }
        Self { occupied, pieces, score, half_points }
    }

    /// What the game was worth to the side to move: 0, 0.5 or 1.
    pub fn points(&self) -> Option<f32> {
        (self.half_points != NO_RESULT).then(|| f32::from(self.half_points) / 2.0)
    }

    /// Its bytes, without those that mean nothing.
    pub fn pack(&self) -> [u8; PACKED] {
        let mut bytes = [0; PACKED];
        bytes[..8].copy_from_slice(&self.occupied.0.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.half_points;
        bytes
    }

    /// The position that [`Self::pack`] made these bytes of.
    pub fn unpack(bytes: &[u8; PACKED]) -> Self {
        let (occupied, rest) = bytes.split_first_chunk().expect("invariant: there are 27 bytes");
        let (pieces, rest) = rest.split_first_chunk().expect("invariant: 19 of them are left");
        Self {
            occupied: Bitboard(u64::from_le_bytes(*occupied)),
            pieces: *pieces,
            score: i16::from_le_bytes([rest[0], rest[1]]),
            half_points: rest[2],
        }
    }

    /// How many pieces there are, kings and pawns included.
    pub fn piece_count(&self) -> usize {
        self.occupied.len() as usize
    }

    /// The pieces with their squares as the side to move sees them: White is the side to move.
    pub fn pieces(&self) -> impl Iterator<Item = (Color, PieceKind, Square)> {
        self.occupied.into_iter().enumerate().map(|(index, square)| {
            let code = self.pieces[index / 2] >> (4 * (index % 2)) & 15;
            let (color, kind) = piece_of(code).expect("invariant: a record is made of pieces");
            (color, kind, square)
        })
    }

    /// The position with White to move, without castling rights. `None` for what no game reaches.
    pub fn position(&self) -> Option<Position> {
        let mut setup = Setup::empty();
        for (color, kind, square) in self.pieces() {
            setup.pieces[square] = Some(Piece::new(color, kind));
        }
        Position::from_setup(&setup).ok()
    }

    /// The pieces as codes (of [`code_of`]) and the indexes of their squares, as many as
    /// [`Self::piece_count`] says; what follows means nothing.
    pub fn codes_and_squares(&self) -> ([u8; 32], [u8; 32]) {
        let (mut codes, mut squares) = ([0; 32], [0; 32]);
        for (two, byte) in codes.as_chunks_mut::<2>().0.iter_mut().zip(self.pieces) {
            *two = [byte & 15, byte >> 4];
        }
        for (index, square) in squares.iter_mut().zip(self.occupied) {
            *index = square.index() as u8;
        }
        (codes, squares)
    }
}

/// The code of a piece, White being the side to move.
pub const fn code_of(color: Color, kind: PieceKind) -> u8 {
    let enemy = match color {
        Color::White => 0,
        Color::Black => ENEMY,
    };
    kind as u8 | enemy
}

/// The piece with a code, White being the side to move; `None` for other codes.
pub const fn piece_of(code: u8) -> Option<(Color, PieceKind)> {
    let color = if code & ENEMY == 0 { Color::White } else { Color::Black };
    let kind = (code & 7) as usize;
    if kind < PieceKind::ALL.len() { Some((color, PieceKind::ALL[kind])) } else { None }
}
