//! A network's evaluation of a position and the value of each piece in it, for people to read.

use core::fmt;

use tamarin_base::{Score, pawns};
use tamarin_movegen::{Bitboard, File, PerSquare, Piece, PieceKind, Position, Rank, Setup, Square};

use super::architecture::bucket;
use super::parameters::Network;
use crate::{endgame, white_view};

/// The evaluation of one position by a network, from White's point of view.
///
/// `Display` is what the `eval` command shows: the board with the value of each piece, in pawns,
/// and the score.
#[derive(Clone, Debug)]
pub struct NetworkBreakdown {
    pieces: PerSquare<Option<PieceValue>>,
    bucket: usize,
    score: Score,
    known_endgame: bool,
}

/// What a piece is worth to a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceValue {
    /// The piece.
    pub piece: Piece,
    /// By how many engine units the score, from White's point of view, is greater with it than
    /// without. `None` for kings, and where the side to move would be in check without it, or
    /// its opponent.
    pub units: Option<i32>,
}

impl NetworkBreakdown {
    /// The evaluation of `position`; `None` in check, which networks are not trained for.
    pub fn new(network: &Network, position: &Position) -> Option<Self> {
        if position.in_check() {
            return None;
        }
        let board = position.board();
        let units = white_units(network, position);
        let value = |square| {
            let piece = position.piece_at(square)?;
            let without = without(position, square);
            let units = without.map(|without| units - white_units(network, &without));
            Some(PieceValue { piece, units })
        };
        let known = endgame::known(board).map(|score| white_view(score, position.side_to_move()));
        Some(Self {
            pieces: PerSquare(Square::ALL.map(value)),
            bucket: bucket(board.occupied().len() as usize, network.buckets()),
            score: known.unwrap_or_else(|| Score::estimate(units)),
            known_endgame: known.is_some(),
        })
    }

    /// The evaluation in engine units, from White's point of view.
    pub const fn white_score(&self) -> Score {
        self.score
    }

    /// The output bucket, from 0.
    pub const fn bucket(&self) -> usize {
        self.bucket
    }

    /// Returns `true` if the score is known without the network.
    pub const fn is_known_endgame(&self) -> bool {
        self.known_endgame
    }

    /// The piece on a square and what it is worth.
    pub fn piece(&self, square: Square) -> Option<PieceValue> {
        self.pieces[square]
    }
}

/// A network's evaluation of a position without limits, in engine units from White's point of
/// view.
fn white_units(network: &Network, position: &Position) -> i32 {
    let score = Score::new(network.evaluate_from_scratch(position.board()));
    white_view(score, position.side_to_move()).units()
}

/// The position without the piece on a square, if that is a position that a network can judge.
fn without(position: &Position, square: Square) -> Option<Position> {
    let mut setup = Setup::from(position);
    setup.pieces[square].take().filter(|piece| piece.kind() != PieceKind::King)?;
    // A network does not see them, and they may belong to the piece.
    setup.castling = Bitboard::EMPTY;
    setup.en_passant = None;
    Position::from_setup(&setup).ok().filter(|position| !position.in_check())
}

impl fmt::Display for NetworkBreakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const RULE: &str = "+-------+-------+-------+-------+-------+-------+-------+-------+";
        writeln!(f, "{RULE}")?;
        for rank in Rank::ALL.into_iter().rev() {
            let pieces = File::ALL.map(|file| self.pieces[Square::new(file, rank)]);
            for piece in pieces {
                write!(f, "|   {}   ", piece.map_or(' ', |value| value.piece.to_char()))?;
            }
            writeln!(f, "|")?;
            for piece in pieces {
                match piece.and_then(|value| value.units) {
                    Some(units) => write!(f, "|{:>+6.2} ", pawns(units))?,
                    None => write!(f, "|       ")?,
                }
            }
            writeln!(f, "|\n{RULE}")?;
        }
        if self.known_endgame {
            writeln!(f, "Known endgame: the network does not count")?;
        }
        write!(f, "Network evaluation: {:+.2} (White's view)", pawns(self.score.units()))
    }
}
