//! The learned evaluator: a sum of weighted terms that are all made from the rules of a game, with
//! weights that come from games which the program has played with itself.

mod embedded;
mod evaluator;
mod geometry;
mod layout;
mod seed;
mod text;
mod visit;
mod weights;

#[cfg(test)]
mod tests;

pub use evaluator::Learned;
pub use layout::Family;
pub use text::EvalError;
pub use weights::Weight;

pub(crate) use layout::Layout;
pub(crate) use visit::{Shape, Sink};
pub(crate) use weights::MOST_WEIGHT;
