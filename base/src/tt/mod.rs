//! The transposition table (TT) of a search of any game: keys are 64 bits, moves 16.

mod entry;
mod table;

pub use entry::{DEPTH_OF_EVALUATION, ScoreContext, TableEntry};
pub use table::TranspositionTable;
