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
mod shares;

pub use encode::PackError;
pub(crate) use files::replace_file;
pub use files::{FileError, GamesError, Sink, for_each_game, total_size};
pub use filter::Filter;
pub use game::{Game, Outcome, Ply};
pub use problem::Problem;
pub use reader::{DataError, GameReader, RawGame};
pub(crate) use shares::{NumberedGame, for_each_share};

#[cfg(test)]
mod tests;
