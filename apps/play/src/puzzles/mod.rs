//! Positions to solve.

mod course;
#[cfg(test)]
mod hostile;
mod learn;
mod progress;
mod puzzle;
mod read;

pub use course::{Course, Solved};
pub use learn::lessons;
pub use progress::{FILE_NAME, Progress};
pub use puzzle::{Goal, Puzzle, Verdict, hint_text};
#[cfg(test)]
use read::parse;
pub use read::{PuzzleError, read};
