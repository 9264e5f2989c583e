//! Games in Portable Game Notation: cutting files into games, reading and writing one.
//!
//! A [`Game`] has all that its text says, and how it says it: what is read and written again is the
//! same text but for line breaks.

pub mod comment;
mod game;
pub mod games;
pub mod header;
mod lexer;
mod outcome;
mod read;
mod rejected;
#[cfg(test)]
mod tests;
mod words;
mod write;

pub use self::game::{
    Game, NULL_MOVE, Outcome, Played, Tag, decoded, decoded_lines, is_null_move, ply_number,
};
pub use self::outcome::outcome;
pub use self::read::{is_chess, read, read_opening, start, words};
pub use self::rejected::Rejected;
pub use self::words::{Gap, Token, Word, outside, variations};
pub use self::write::{Movetext, write, write_tag};
