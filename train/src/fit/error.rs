//! Why there are no weights.

use tamarin_eval::tuning::LengthError;

use crate::checkpoint::CheckpointError;
use crate::data::{DataError, FileError};

/// Why there are no fitted weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The games are damaged.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The games hold nothing to learn from.
    #[error("the games hold {training} positions to learn from and {validation} to validate with")]
    TooFew {
        /// Positions for the fit.
        training: usize,
        /// Positions kept out of it.
        validation: usize,
    },
    /// The tuner's view of a position is not what the evaluation says.
    #[error("the evaluation of {fen} is {evaluation}, the tuner reckons {sum}")]
    Mismatch {
        /// The position.
        fen: String,
        /// The evaluation in engine units, White's view.
        evaluation: i32,
        /// The tuner's sum.
        sum: i32,
    },
    /// The state cannot be kept, or an interrupted fit was another one.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// Terms to leave out that are none.
    #[error("no family or row of weights is called {0:?}")]
    NoSuchTerm(String),
    /// An interrupted fit was of another evaluation.
    #[error("the interrupted fit is of another evaluation")]
    Length(#[from] LengthError),
}
