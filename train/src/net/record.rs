//! A position to learn from in 32 bytes.

use tamarin_movegen::{Bitboard, Color, Piece, PieceKind, Position, Setup, Square};

use crate::data::Outcome;

/// A position to learn from, seen by the side to move: ranks are flipped if that is Black, and
/// "own" pieces are those of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Record {
    occupied: Bitboard,
    /// Four bits a piece, in the order of the squares: its kind, and [`ENEMY`].
    pieces: [u8; 16],
    /// Its score in engine units, the side to move's view.
    pub score: i16,
    /// Half points of the side to move: 0, 1 or 2, or [`NO_RESULT`].
    half_points: u8,
}

const _: () = assert!(size_of::<Record>() == 32);

/// Bytes of a packed position.
pub(super) const PACKED: usize = 27;

/// Half points of a position of no game.
const NO_RESULT: u8 = 3;

/// The bit of a piece of the side that is not to move.
const ENEMY: u8 = 8;

impl Record {
    /// A position, its score in engine units (White's view), and how its game ended, if it is of
    /// one.
    pub fn new(position: &Position, white_score: i16, outcome: Option<Outcome>) -> Self {
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
pub(super) const fn code_of(color: Color, kind: PieceKind) -> u8 {
    let enemy = match color {
        Color::White => 0,
        Color::Black => ENEMY,
    };
    kind as u8 | enemy
}

/// The piece with a code, White being the side to move; `None` for other codes.
pub(super) const fn piece_of(code: u8) -> Option<(Color, PieceKind)> {
    let color = if code & ENEMY == 0 { Color::White } else { Color::Black };
    let kind = (code & 7) as usize;
    if kind < PieceKind::ALL.len() { Some((color, PieceKind::ALL[kind])) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(fen: &str) -> Record {
        Record::new(&Position::from_fen(fen).unwrap(), 120, Some(Outcome::WhiteWin))
    }

    #[test]
    fn a_record_holds_the_pieces_of_its_position() {
        let start = Position::startpos();
        let record = Record::new(&start, 25, Some(Outcome::Draw));
        assert_eq!(record.pieces().count(), 32);
        for (color, kind, square) in record.pieces() {
            let piece = start.piece_at(square).unwrap();
            assert_eq!((piece.color(), piece.kind()), (color, kind), "{square:?}");
        }
        assert_eq!((record.score, record.points(), record.piece_count()), (25, Some(0.5), 32));
        let (codes, squares) = record.codes_and_squares();
        for (index, (color, kind, square)) in record.pieces().enumerate() {
            assert_eq!(piece_of(codes[index]), Some((color, kind)));
            assert_eq!(
                (codes[index], usize::from(squares[index])),
                (code_of(color, kind), square.index())
            );
        }
    }

    #[test]
    fn a_packed_record_is_unpacked_again() {
        for fen in ["4k3/8/8/8/8/8/8/4K2R b - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1"] {
            let position = Position::from_fen(fen).unwrap();
            for (score, outcome) in [(-31_000, None), (257, Some(Outcome::BlackWin))] {
                let record = Record::new(&position, score, outcome);
                assert_eq!(Record::unpack(&record.pack()), record);
            }
        }
    }

    #[test]
    fn both_sides_see_the_same_when_colors_are_exchanged() {
        let white = record("r3k2r/pp3ppp/2n5/3q4/8/2N1B3/PPP2PPP/R2QK2R w KQkq - 0 12");
        let black = "r2qk2r/ppp2ppp/2n1b3/8/3Q4/2N5/PP3PPP/R3K2R b KQkq - 0 12";
        let black = Position::from_fen(black).unwrap();
        assert_eq!(Record::new(&black, -120, Some(Outcome::BlackWin)), white);
        assert_ne!(Record::new(&black, 120, Some(Outcome::BlackWin)), white);
        assert_ne!(Record::new(&black, -120, Some(Outcome::WhiteWin)), white);
    }
}
