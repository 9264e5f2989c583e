//! The learned evaluator: a sum of weighted terms that are all made from the rules of a game, with
//! weights that come from games which the program has played with itself.

mod evaluator;
mod geometry;
mod layout;
mod text;
mod visit;

#[cfg(test)]
mod tests;

pub use evaluator::Learned;
pub use layout::{Family, Weight};
pub use text::EvalError;

pub(crate) use layout::{Layout, MOST_WEIGHT};
pub(crate) use visit::{Shape, Sink};
