//! From the words of a game to a tree, and back.

mod read;
#[cfg(test)]
mod tests;
mod write;

pub use self::read::{Piece, is_move_of_variant, of_game, tree};
pub use self::write::words;
