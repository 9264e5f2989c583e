//! Opening books in Polyglot's format: reading them, choosing a move, making them from games.

mod choose;
pub mod command;
mod entry;
mod file;
#[cfg(test)]
mod hostile;
mod key;
mod make;
mod random_table;

pub use self::choose::{Choice, Hit, Seed, choose};
pub use self::file::{Book, BookError};
pub use self::key::key;
