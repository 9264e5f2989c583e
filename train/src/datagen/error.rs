//! Why no more games are made.

use std::path::PathBuf;

use tamarin_search::StartError;

use super::openings::NoOpening;
use crate::book::BookError;
use crate::data::{DataError, FileError, PackError};
use crate::evaluator::EvaluatorError;
use crate::lock::LockError;

/// Why no more games are made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatagenError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    #[error("the games so far are damaged")]
    Data(#[from] DataError),
    /// A game cannot be written.
    #[error(transparent)]
    Pack(#[from] PackError),
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error("the engine does not start")]
    Start(#[from] StartError),
    /// The file cannot be had for oneself.
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error(transparent)]
    Opening(#[from] NoOpening),
    #[error("{games} is there without {recipe}, so it cannot be continued; choose another file")]
    NoRecipe {
        games: PathBuf,
        /// The file that is missing.
        recipe: PathBuf,
    },
    #[error("{path} is no recipe")]
    BadRecipe { path: PathBuf, source: serde_json::Error },
    #[error("{path}: its {what} is {there}, not {here}; choose another file")]
    OtherRecipe {
        /// The file of games.
        path: PathBuf,
        what: &'static str,
        there: String,
        here: String,
    },
}
