//! Positions to solve.

mod course;
#[cfg(test)]
mod hostile;
mod puzzle;
mod read;

pub use course::{Course, FILE_NAME, Progress, Solved};
pub use puzzle::{Goal, Puzzle, Verdict, hint_text};
#[cfg(test)]
use read::parse;
pub use read::{lessons, read};
