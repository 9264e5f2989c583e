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
mod game;
mod reader;

pub use chunks::{Fnv1a, GameSet, HashedGame, check_counts, for_each_chunk};
pub use decode::Problem;
pub use encode::PackError;
pub use files::{Input, MAX_MEBIBYTES, Sink, for_each_game, total_size};
pub use filter::{Filter, FilterWithChecks};
pub use game::{Game, GameResult, Ply, expected};
pub use reader::{DataError, GameReader};
