//! Learning an evaluator: generations of games that the program plays with itself, each followed by
//! a fit of the weights and a match against the generation before.

mod fit;
mod plan;
mod pool;
mod record;
mod run;
mod samples;

pub use plan::{Budget, Fitted, GENERATIONS, Known, Match, Observer, Phase, Settings, Stopped};
pub use record::{Ending, Record};
pub use run::learn;
