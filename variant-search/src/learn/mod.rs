//! Learning an evaluator: generations of games that the program plays with itself, each followed by
//! a fit of the weights and a match against the generation before.

mod fit;
mod games;
mod run;

pub use games::{Ending, Record};
pub use run::{
    Budget, Fitted, GENERATIONS, Known, Match, Observer, Phase, Settings, Stopped, learn,
};
