//! Positions to solve.

mod course;
mod learn;
mod progress;
mod puzzle;
mod read;

pub use course::{Course, Solved};
pub use learn::lessons;
pub use progress::{FILE_NAME, Progress};
pub use puzzle::{Puzzle, Verdict};
pub use read::{PuzzleError, read};
