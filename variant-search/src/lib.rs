//! Playing the games that [`tamarin_variant`] knows the rules of: evaluators made from the rules
//! alone, and a search.
//!
//! ```
//! use tamarin_variant::{Position, builtin};
//! use tamarin_variant_search::{Engine, Limits, Options, Signals, ScoreValue};
//!
//! let game = builtin("nuttyknights").unwrap();
//! let mut engine = Engine::new(&game, &Options::default())?;
//! // Black has only the king; the colonel mates.
//! let position = Position::from_fen(&game, "7k/8/6K1/8/8/8/8/3Q4 w - - 0 1").unwrap();
//! let answer = engine.search(&position, &Limits::depth(4), &Signals::default(), |_| ());
//! assert!(matches!(answer.value, ScoreValue::Mate(_)));
//! # Ok::<(), tamarin_variant_search::EngineError>(())
//! ```
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

mod any_evaluator;
pub mod evaluate;
pub mod learn;
mod library;
mod limits;
mod score;
mod search;
mod searcher;
mod table;
pub mod thesis;

pub use any_evaluator::AnyEvaluator;
pub use library::{
    CHESS, EvaluationError, Library, LibraryError, NOT_USED, evaluation_file, learned_of_last,
    read_evaluation,
};
pub use limits::{BestMove, Info, Limits};
pub use score::{MAX_PLY, score_value};
pub use search::{Engine, EngineError, Options};
pub use searcher::{Observer, Searcher, Size, Unanswered};
pub use tamarin_base::{Clock, Controls, Millis, ScoreValue, Signals, Wait};
