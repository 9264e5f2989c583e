//! Variants in the protocols: which there are by name, and the search of the one in force.

mod evaluation;
mod library;
mod searcher;

pub use self::evaluation::{EvaluationError, evaluation_file, learned_beside, read_evaluation};
pub use self::library::{
    CHESS, Library, LibraryError, NOT_USED, learned_of_last, name_of_last, variant_names,
};
pub use self::searcher::{Searcher, Size, Unanswered};
