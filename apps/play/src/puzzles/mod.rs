//! Positions to solve.

mod course;
mod puzzle;
mod read;

pub use crate::advice::{is_proven, proven_move};
pub use course::{Course, FILE_NAME, Progress, Solved};
pub use puzzle::{Goal, Puzzle, Verdict, hint_text};
pub use read::{lessons, parse, read};
