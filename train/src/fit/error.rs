//! Why there are no weights.

use super::optimizer::LengthError;
use crate::checkpoint::CheckpointError;
use crate::data::GamesError;
use crate::lock::LockError;

/// Why there are no fitted weights.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// The games cannot be read, or the result cannot be written.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// The output cannot be had for oneself.
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error("the evaluation of {fen} is {evaluation}, the tuner reckons {sum}")]
    Mismatch {
        fen: String,
        /// The evaluation in engine units, White's view.
        evaluation: i32,
        /// The tuner's sum.
        sum: i32,
    },
    /// The state cannot be kept, or an interrupted fit was another one.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error(
        "epoch {epoch}: a weight of {row:?} is {value}, which the evaluation cannot hold, so no \
         weights are written; lower --rate or --regularization"
    )]
    Diverged {
        /// Which, from 1.
        epoch: usize,
        row: String,
        value: f32,
    },
    #[error("no family or row of weights is called {0:?}")]
    NoSuchTerm(String),
    #[error("the interrupted fit is of another evaluation")]
    Length(#[from] LengthError),
}
