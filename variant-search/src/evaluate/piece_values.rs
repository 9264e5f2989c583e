//! Values of pieces by square, and their normalization.

use tamarin_base::Signals;
use tamarin_variant::{Color, Game, Occupant, Piece, Square, Symmetry};

/// The magnitude of the vector of the pieces' values, each the mean over all squares.
pub const MAGNITUDE: f64 = 1_000_000.0;
/// Flags of a game.
const FLAGS: usize = 8;

/// Values before they are normalized: by slot of the piece times squares plus the square.
#[derive(Clone, Debug)]
pub(super) struct RawValues {
    pub(super) squares: usize,
    pub(super) pieces: Vec<f64>,
    /// What a flag adds: by (slot times 8 plus flag) times squares plus the square.
    pub(super) flags: Vec<f64>,
}

impl RawValues {
    pub(super) fn zero(game: &Game) -> Self {
        let (slots, squares) = (game.piece_count() * 2, game.squares());
        Self {
            squares,
            pieces: vec![0.0; slots * squares],
            flags: vec![0.0; slots * FLAGS * squares],
        }
    }

    /// Fills it with what `value` gives for a piece with flags on a square, until a stop. Royal pieces have no
    /// value. Where Black's pieces move as White's do seen from the other side, and both sides
    /// begin with the same pieces, Black's values are White's.
    pub(super) fn fill(
        game: &Game,
        same_armies: bool,
        signals: &Signals,
        mut value: impl FnMut(Piece, u8, Square) -> f64,
    ) -> Self {
        let mut value = |piece, flags, square| match signals.stopped() {
            true => 0.0,
            false => value(piece, flags, square),
        };
        let mut raw = Self::zero(game);
        let shared = same_armies && game.symmetry() != Symmetry::None;
        let colors = if shared { &Color::ALL[..1] } else { &Color::ALL[..] };
        for kind in (0..game.piece_count() as u8).filter(|&kind| !game.is_royal(kind)) {
            for &color in colors {
                let piece = Piece { color, kind };
                for square in 0..raw.squares as Square {
                    let plain = value(piece, 0, square);
                    raw.set(game, shared, piece, None, square, plain);
                    for flag in (0..FLAGS).filter(|flag| game.start_flags(kind) >> flag & 1 != 0) {
                        let more = value(piece, 1 << flag, square) - plain;
                        raw.set(game, shared, piece, Some(flag), square, more);
                    }
                }
            }
        }
        raw
    }

    #[expect(clippy::too_many_arguments, reason = "an address of a table and what to write there")]
    fn set(
        &mut self,
        game: &Game,
        shared: bool,
        piece: Piece,
        flag: Option<usize>,
        square: Square,
        value: f64,
    ) {
        let mut write = |slot: usize, square: Square| match flag {
            None => self.pieces[slot * self.squares + usize::from(square)] = value,
            Some(flag) => {
                self.flags[(slot * FLAGS + flag) * self.squares + usize::from(square)] = value;
            }
        };
        write(piece.slot(), square);
        if shared {
            write(piece.slot() + 1, game.flip(square));
        }
    }

    /// The same with the mean over all squares on every square.
    pub(super) fn averaged(mut self) -> Self {
        for row in self.pieces.chunks_mut(self.squares).chain(self.flags.chunks_mut(self.squares)) {
            let mean = row.iter().sum::<f64>() / row.len() as f64;
            row.fill(mean);
        }
        self
    }

    /// The mean value of each piece over all squares and both sides.
    fn means(&self) -> Vec<f64> {
        let rows = self.pieces.chunks(2 * self.squares);
        rows.map(|row| row.iter().sum::<f64>() / row.len() as f64).collect()
    }

    /// The factor that gives the vector of the pieces' values its magnitude; 0 if all are 0.
    fn scale(&self) -> f64 {
        let norm = self.means().iter().map(|mean| mean * mean).sum::<f64>().sqrt();
        if norm > 0.0 { MAGNITUDE / norm } else { 0.0 }
    }

    pub(super) fn normalized(&self) -> PieceValues {
        let scale = self.scale();
        let whole = |values: &[f64]| values.iter().map(|v| (v * scale).round() as i64).collect();
        PieceValues {
            squares: self.squares,
            pieces: whole(&self.pieces),
            flags: whole(&self.flags),
        }
    }
}

/// Values of pieces and flags by square, as seen by their owner: the vector of the pieces' values,
/// each the mean over all squares and both sides, has the magnitude [`MAGNITUDE`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceValues {
    squares: usize,
    /// By slot of the piece times squares plus the square.
    pieces: Vec<i64>,
    /// By (slot times 8 plus flag) times squares plus the square.
    flags: Vec<i64>,
}

impl PieceValues {
    pub(super) fn zero(game: &Game) -> Self {
        RawValues::zero(game).normalized()
    }

    /// Adds other values times a fraction.
    pub(super) fn add(&mut self, other: &Self, up: i64, down: i64) {
        let pairs = self.pieces.iter_mut().zip(&other.pieces);
        for (own, theirs) in pairs.chain(self.flags.iter_mut().zip(&other.flags)) {
            *own += theirs * up / down;
        }
    }

    /// The value of a piece on a square for its owner, without its flags.
    #[inline]
    pub fn piece(&self, piece: Piece, square: Square) -> i64 {
        self.pieces[piece.slot() * self.squares + usize::from(square)]
    }

    /// What a flag adds to the value of a piece on a square.
    #[inline]
    pub fn flag(&self, piece: Piece, flag: usize, square: Square) -> i64 {
        self.flags[(piece.slot() * FLAGS + flag) * self.squares + usize::from(square)]
    }

    /// The value of a piece with a flag for its owner, the mean over all squares.
    pub fn mean_with_flag(&self, piece: Piece, flag: usize) -> i64 {
        let added: i64 =
            (0..self.squares).map(|square| self.flag(piece, flag, square as Square)).sum();
        self.mean(piece) + added / self.squares as i64
    }

    /// The value of a piece for its owner, the mean over all squares.
    pub fn mean(&self, piece: Piece) -> i64 {
        let row = &self.pieces[piece.slot() * self.squares..][..self.squares];
        row.iter().sum::<i64>() / self.squares as i64
    }

    /// The value of a kind of piece: the mean of what it is worth to both sides.
    pub fn mean_of_both(&self, kind: u8) -> i64 {
        Color::ALL.map(|color| self.mean(Piece { color, kind })).iter().sum::<i64>() / 2
    }

    /// What stands on a square is worth this to White.
    #[inline]
    pub fn occupant(&self, occupant: Occupant, square: Square) -> i64 {
        let Some(piece) = occupant.piece.filter(|piece| piece.kind != Piece::OBSTACLE) else {
            return 0;
        };
        let mut value = self.piece(piece, square);
        let mut flags = occupant.flags;
        while flags != 0 {
            let flag = flags.trailing_zeros() as usize;
            value += self.flag(piece, flag, square);
            flags &= flags - 1;
        }
        if piece.color == Color::White { value } else { -value }
    }
}
