//! Whole games in viriformat: a packed start position, then move and score of each ply.
//!
//! Source of the format: the training data of Viridithas; its crate writes them here. Its
//! reader trusts what it reads, so that reading is done here: every byte is checked, and
//! what is wrong is named with its place.

mod chunks;
mod decode;
mod encode;
mod files;
mod filter;
mod fnv;
mod game;
mod input;
mod problem;
mod reader;

pub(crate) use chunks::{GameSet, HashedGame, for_each_chunk};
pub use encode::PackError;
pub use files::{FileError, GamesError, Sink, for_each_game, total_size};
pub(crate) use files::{MAX_MEBIBYTES, replace_file, replace_own_file};
pub use filter::{Filter, FilterWithChecks};
pub(crate) use fnv::Fnv1a;
pub use game::{Game, Outcome, Ply};
pub(crate) use input::Input;
pub use problem::Problem;
pub use reader::{DataError, GameReader, RawGame};

#[cfg(test)]
pub(crate) mod samples;
#[cfg(test)]
mod tests;
