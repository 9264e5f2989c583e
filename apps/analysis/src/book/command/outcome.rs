//! How the commands about books end, and what they share.

use std::io;
use std::path::{Path, PathBuf};

use tamarin_game::book::file::{Book, BookError};

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    Good,
    /// The work was done, and the user will not like what came of it.
    Bad,
}

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("{}", .path.display())]
    Book { path: PathBuf, source: BookError },
    #[error("{}", .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("the position: {0}")]
    Position(String),
    #[error("standard output")]
    Output(#[from] io::Error),
}

/// The book at a path, or the built-in one.
pub fn open(path: Option<&Path>) -> Result<Book, Failure> {
    let Some(path) = path else { return Ok(Book::built_in().clone()) };
    Book::read(path).map_err(|source| Failure::Book { path: path.to_owned(), source })
}
