//! Perft: how many sequences of legal moves of a given length a position has.
//!
//! The numbers are known for many positions, so that counting them proves a move
//! generator right; they are also a good measure of its speed.
//!
//! [`count`] is the plain recursion. [`run`] counts with many threads, with or
//! without a [`Cache`], says how the count splits over the moves of the position,
//! and can be watched and stopped through a [`Control`]. [`suite`] compares counts
//! with those of an EPD file, [`compare`] with those of another engine, [`details`] says what the
//! moves are. [`cli`] is the command line of all this, shared by the program `perft` and by `tamarin
//! perft`.
//!
//! ```
//! use tamarin_movegen::Position;
//! use tamarin_perft::{Control, Depth, Options, count, run};
//!
//! let position = Position::startpos();
//! assert_eq!(count(position.board(), 3), 8_902);
//!
//! let depth = Depth::new(4).unwrap();
//! let outcome = run(position.board(), depth, &Options::default(), &Control::new());
//! assert_eq!(outcome.nodes(), 197_281);
//! assert_eq!(outcome.divide.len(), 20);
//! ```
#![forbid(unsafe_code)]

mod cache;
pub mod cli;
pub mod compare;
mod count;
mod details;
mod run;
pub mod suite;

pub use cache::Cache;
pub use count::{LastPlies, count};
pub use details::{COLUMNS, Row, details};
pub use run::{Control, Depth, DepthError, Options, Outcome, Overflow, Progress, run};
