//! The reader of puzzles, by its files: the crate it belongs to draws in all of a terminal.

#[path = "../apps/play/src/puzzles/puzzle.rs"]
mod puzzle;
#[path = "../apps/play/src/puzzles/read.rs"]
mod read;

pub use puzzle::{Goal, Puzzle, Verdict};
pub use read::parse;
