//! Why no more games are made.

use std::path::PathBuf;

use tamarin_search::StartError;

use super::openings::{BookError, NoOpening};
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
    /// The games that are there are damaged.
    #[error("the games so far are damaged")]
    Data(#[from] DataError),
    /// A game cannot be written.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The book is of no use.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The evaluator cannot be had.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// The engine does not start.
    #[error("the engine does not start")]
    Start(#[from] StartError),
    /// The file cannot be had for oneself.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The openings are of no use.
    #[error(transparent)]
    Opening(#[from] NoOpening),
    /// There are games without their recipe.
    #[error("{games} is there without {recipe}, so it cannot be continued; choose another file")]
    NoRecipe {
        /// The file of games.
        games: PathBuf,
        /// The file that is missing.
        recipe: PathBuf,
    },
    /// The recipe cannot be understood.
    #[error("{path} is no recipe")]
    BadRecipe {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The games were begun in another way.
    #[error("{path}: its {what} is {there}, not {here}; choose another file")]
    OtherRecipe {
        /// The file of games.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What it was.
        there: String,
        /// What it would be now.
        here: String,
    },
}
