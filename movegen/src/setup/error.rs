//! What is repaired in a setup, and what is refused.

use crate::{Color, Square};
use core::fmt;

/// Something [`Setup::repair`](crate::Setup::repair) or
/// [`Setup::parse`](crate::Setup::parse) put right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Repair {
    /// The FEN ends before this field, which was given its default.
    MissingField(FenField),
    /// A castling letter of the FEN was dropped: king or rook are not in place.
    CastlingLetter(char),
    /// The castling right of the rook on this square was dropped: king or rook are not in place.
    CastlingSquare(Square),
    /// This en passant square was dropped: no pawn has just passed it, or none may take it.
    EnPassant(Square),
    /// A counter was out of range and became `used`.
    Counter {
        /// Which of the two counters.
        field: FenField,
        /// Its value now.
        used: u32,
    },
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NOT_IN_PLACE: &str = "dropped: king or rook not in place";
        match self {
            Self::MissingField(field) => write!(f, "{field} missing: taken as {}", field.default()),
            Self::CastlingLetter(letter) => write!(f, "castling right {letter:?} {NOT_IN_PLACE}"),
            Self::CastlingSquare(square) => {
                write!(f, "castling right of the rook on {square} {NOT_IN_PLACE}")
            }
            Self::EnPassant(square) => {
                write!(
                    f,
                    "en passant square {square} dropped: no double step there that can be captured"
                )
            }
            Self::Counter { field, used } => write!(f, "{field} out of range: taken as {used}"),
        }
    }
}

/// Why a [`Setup`](crate::Setup) is not a position of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// A side has no king or more than one.
    #[error("{color:?} has {count} kings instead of one")]
    Kings {
        /// The side.
        color: Color,
        /// How many kings it has.
        count: u32,
    },
    /// A pawn stands on the first or last rank.
    #[error("a pawn stands on {0}, on the first or last rank")]
    PawnOnBackRank(Square),
    /// A side has more than 16 pieces.
    #[error("{color:?} has {count} pieces, more than 16")]
    TooManyPieces {
        /// The side.
        color: Color,
        /// How many pieces it has, the king included.
        count: u32,
    },
    /// A side has more pawns and promoted pieces than the eight pawns it started with.
    #[error("{color:?} has too many promoted pieces: {promoted} beside {pawns} pawns")]
    TooManyPromotions {
        /// The side.
        color: Color,
        /// How many pawns it has.
        pawns: u32,
        /// How many of its pieces must have been pawns.
        promoted: u32,
    },
    /// The king or the rook of a castling right is not in place.
    #[error("the rook on {0} cannot have a castling right")]
    CastlingRight(Square),
    /// Two rooks on the same side of a king claim the right to castle.
    #[error("{0:?} has two castling rights on the same side of the king")]
    CastlingTwice(Color),
    /// The side that has just moved is in check.
    #[error("{0:?} is in check but it is not its turn")]
    OpponentInCheck(Color),
    /// More than two pieces give check: no move brings that about.
    #[error("{0:?} is in check by more than two pieces")]
    TooManyCheckers(Color),
    /// No pawn has just passed the en passant square, or none may take it.
    #[error("no pawn can capture en passant on {0}")]
    EnPassant(Square),
    /// A counter is out of range.
    #[error("{field} {value} is out of range")]
    Counter {
        /// Which of the two counters.
        field: FenField,
        /// Its value.
        value: u32,
    },
}

/// One of the six fields of a FEN, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[allow(missing_docs)]
pub enum FenField {
    Placement,
    SideToMove,
    Castling,
    EnPassant,
    HalfmoveClock,
    FullmoveNumber,
}

impl FenField {
    /// What a missing field is taken to say.
    pub(crate) const fn default(self) -> &'static str {
        match self {
            Self::Placement => "an empty board",
            Self::SideToMove => "w",
            Self::Castling | Self::EnPassant => "-",
            Self::HalfmoveClock => "0",
            Self::FullmoveNumber => "1",
        }
    }
}

impl fmt::Display for FenField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Placement => "piece placement",
            Self::SideToMove => "side to move",
            Self::Castling => "castling rights",
            Self::EnPassant => "en passant square",
            Self::HalfmoveClock => "halfmove clock",
            Self::FullmoveNumber => "fullmove number",
        })
    }
}
