//! Evaluators of positions, made from the rules of a game.
//!
//! Source: the evaluators are those of chapter 6 of the thesis on a generalized chess engine that
//! the notation comes from; variant/README.md says what was made clear.

mod base_values;
mod evaluator;
pub mod learned;
mod piece_values;
mod spec;
mod terms;
mod walk;

pub use base_values::empty_board_mobility;
pub use evaluator::Evaluator;
pub use piece_values::{MAGNITUDE, PieceValues};
pub use spec::{Base, Component, Scaled, Spec, SpecError};
