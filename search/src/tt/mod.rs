//! The transposition table (TT): what the threads of a search know of positions seen before.

mod entry;
mod keys;
mod table;

pub(crate) use entry::{DEPTH_OF_EVALUATION, Hit, ScoreContext, TableEntry};
pub(crate) use keys::key;
pub(crate) use table::TranspositionTable;
