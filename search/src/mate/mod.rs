//! Proves or refutes that a mate can be forced in a number of moves.
//!
//! Nothing is guessed: every move of both sides counts, positions in memory are compared as a
//! whole, and no score of an evaluation is used. The fifty-move rule counts. Repetitions need not
//! be followed: where a mate can be forced, it can be forced without one, because the shortest
//! mate gets closer with each move.

mod prover;
mod table;
mod wanted;

pub use prover::{MateGoal, MateLimits, MateVerdict, Prover};
pub use table::MateMemoryError;
pub(crate) use wanted::WantedMate;
