//! What can be wrong with a FEN.

use core::fmt;

use crate::{FenField, Rank, SetupError};

/// What is wrong with a field of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum FenProblem {
    /// Neither a piece letter nor a digit 1 to 8 nor a slash.
    Letter,
    /// The rank describes more than eight files.
    RankTooLong(Rank),
    /// The rank describes fewer than eight files.
    RankTooShort(Rank),
    /// There are more than eight ranks.
    TooManyRanks,
    /// There are fewer than eight ranks: the number there are.
    TooFewRanks(u8),
    /// Neither `w` nor `b`.
    Color,
    /// Neither `-` nor letters of `KQkq`, `A` to `H` and `a` to `h`.
    Castling,
    /// A castling right that was already given.
    CastlingRepeated,
    /// Neither `-` nor a square.
    Square,
    /// Not a whole number.
    Number,
}

impl fmt::Display for FenProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |rank: &Rank| rank.to_char();
        match self {
            Self::Letter => f.write_str("expected a piece letter, a digit 1 to 8 or '/'"),
            Self::RankTooLong(rank) => write!(f, "rank {} has more than 8 files", digit(rank)),
            Self::RankTooShort(rank) => write!(f, "rank {} has fewer than 8 files", digit(rank)),
            Self::TooManyRanks => f.write_str("there are more than 8 ranks"),
            Self::TooFewRanks(count) => write!(f, "there are only {count} ranks"),
            Self::Color => f.write_str("expected 'w' or 'b'"),
            Self::Castling => f.write_str("expected '-', letters of KQkq or rook files"),
            Self::CastlingRepeated => f.write_str("the same right twice"),
            Self::Square => f.write_str("expected '-' or a square"),
            Self::Number => f.write_str("expected a whole number"),
        }
    }
}

/// Why a text is not the FEN of a position.
///
/// Columns count characters from 1; a text is repeated up to its 24th character.
///
/// ```
/// use tamarin_movegen::Position;
/// let error = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w KX - 0 1").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "castling rights, column 24: expected '-', letters of KQkq or rook files, found \"X\""
/// );
/// assert_eq!(error.column(), Some(24));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// The text ends before a field that has no default: the first or the second.
    #[error("{field} missing, column {column}")]
    Missing {
        /// The field that should have followed.
        field: FenField,
        /// Where it should have started.
        column: usize,
    },
    /// A field cannot be read.
    #[error("{field}, column {column}: {problem}, found {text:?}")]
    Malformed {
        /// The field.
        field: FenField,
        /// Where in the FEN the trouble is.
        column: usize,
        /// The part of the field that is wrong.
        text: String,
        /// What is wrong with it.
        problem: FenProblem,
    },
    /// Something follows the sixth field.
    #[error("nothing may follow the fullmove number, column {column}: found {text:?}")]
    TrailingText {
        /// Where it starts.
        column: usize,
        /// What it is.
        text: String,
    },
    /// The text reads well, but what it says is no position of a game.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl FenError {
    /// The field in which the trouble is, unless it is with the position as a whole.
    pub const fn field(&self) -> Option<FenField> {
        match self {
            Self::Missing { field, .. } | Self::Malformed { field, .. } => Some(*field),
            Self::TrailingText { .. } | Self::Setup(_) => None,
        }
    }

    /// The character at which the trouble starts, from 1, unless it is with the position as a
    /// whole.
    pub const fn column(&self) -> Option<usize> {
        match self {
            Self::Missing { column, .. }
            | Self::Malformed { column, .. }
            | Self::TrailingText { column, .. } => Some(*column),
            Self::Setup(_) => None,
        }
    }
}
