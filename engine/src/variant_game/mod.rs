//! Variants in the protocols: which there are by name, and the search of the one in force.

mod library;
mod searcher;

pub use self::library::{CHESS, Library, LibraryError};
pub use self::searcher::{Searcher, Size, Unanswered};
