//! Evaluators of positions, made from the rules of a game.
//!
//! Source: the evaluators are those of chapter 6 of the thesis on a generalized chess engine that
//! the notation comes from; variant/README.md says what was made clear.

mod boards;
mod captures;
mod evaluator;
mod immediate;
mod king;
pub mod learned;
mod mobility;
mod piece_values;
mod potential;
mod spec;
mod walk;

pub use evaluator::Evaluator;
pub use mobility::empty_board_mobility;
pub use piece_values::{MAGNITUDE, PieceValues};
pub use spec::{Base, Component, Scaled, Spec, SpecError};
