//! The transposition table (TT): what the threads of a search know of positions seen before.

mod entry;
mod table;

pub(crate) use entry::{DEPTH_OF_EVALUATION, ScoreContext, TableEntry};
pub(crate) use table::{TranspositionTable, key};
