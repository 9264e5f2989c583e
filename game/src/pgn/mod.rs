//! Games in Portable Game Notation: cutting files into games, reading and writing one.
//!
//! A [`Game`] has all that its text says, and how it says it: what is read and written again is the
//! same text but for line breaks.

pub mod comment;
mod game;
pub mod games;
pub mod header;
mod lexer;
mod read;
mod rules;
#[cfg(test)]
mod tests;
mod tree;
mod words;
mod write;

pub use self::game::{Game, NULL_MOVE, Outcome, Played, Tag, decoded, decoded_lines, is_null_move};
pub use self::read::{Rejected, read, read_any, read_opening, summary};
pub use self::rules::{Rules, Wanted, is_chess};
pub use self::tree::{tree, write_tree};
pub use self::words::{Gap, Token, Word, outside, variations};
pub use self::write::write;
