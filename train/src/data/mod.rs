//! Whole games in viriformat: a packed start position, then move and score of each ply.
//!
//! Source of the format: the training data of Viridithas; its crate writes them here. Its
//! reader trusts what it reads, so that reading is done here: every byte is checked, and
//! what is wrong is named with its place.

mod decode;
mod encode;
mod files;
mod filter;
mod game;
mod problem;
mod reader;

pub use encode::PackError;
pub use files::{FileError, GamesError, Sink, for_each_game, total_size};
pub use filter::Filter;
pub use game::{Game, Outcome, Ply};
pub use problem::Problem;
pub use reader::{DataError, GameReader, RawGame};

#[cfg(test)]
mod tests;
