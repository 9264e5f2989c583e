//! Variants: which there are by name, the search of the one in force, and games with their PGN.

mod game;
mod library;
mod searcher;

pub use self::game::{LoadError, VariantGame, find_move};
pub use self::library::{CHESS, Library, LibraryError};
pub use self::searcher::{Searcher, Size, Unanswered};
