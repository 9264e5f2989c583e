//! Opening books in Polyglot's format: reading them and choosing a move.

mod choose;
pub mod entry;
pub mod file;
mod key;

pub use self::choose::{Hit, Seed, built_in_move, choose};
pub use self::file::{Book, BookError};
pub use self::key::key;
