//! Games in Portable Game Notation: cutting files into games, reading and writing one.

mod game;
pub mod games;
mod line_comments;
mod read;
mod rejected;
mod write;

pub use self::game::{Game, Outcome, Played, Tag, decoded};
pub use self::read::{is_chess, read};
pub use self::rejected::Rejected;
pub use self::write::{Movetext, write_tag};
