//! Whole games in viriformat: a packed start position, then move and score of each ply.
//!
//! Source of the format: the training data of Viridithas; its crate writes them here. Its
//! reader trusts what it reads, so that reading is done here: every byte is checked, and
//! what is wrong is named with its place. `packed` has the same games in a quarter of the room.

mod chunks;
mod files;
mod format;
mod game;
mod packed;

pub use chunks::{GameSet, HashedGame, check_counts, for_each_chunk};
pub use files::{DataError, GameReader, Input, MAX_MEBIBYTES, Sink, for_each_game, total_size};
pub use format::Problem;
pub use game::{Filter, FilterWithChecks, FilteredGames, Game, GameResult, Ply, expected};
pub use packed::Packer;
