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
#[cfg(test)]
use puzzle::Goal;
pub use puzzle::{Puzzle, Verdict};
#[cfg(test)]
use read::parse;
pub use read::{PuzzleError, read};
