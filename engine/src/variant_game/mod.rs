//! Variants in the protocols: which there are by name, and the one that is played.

mod game;
mod library;
mod player;

pub use self::game::{LoadError, VariantGame};
pub use self::library::{CHESS, Library, LibraryError};
pub use self::player::{Observer, Player, Size, find_move};
