//! The transposition table (TT): what the threads of a search know of positions seen before. It
//! knows no game: keys are 64 bits, moves 16.

mod entry;
mod table;

pub use entry::{DEPTH_OF_EVALUATION, ScoreContext, TableEntry};
pub use table::TranspositionTable;
