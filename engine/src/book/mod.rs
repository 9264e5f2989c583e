//! Opening books in Polyglot's format: reading them, and making them from games.

pub mod command;
mod entry;
mod file;
mod key;
mod make;
mod random_table;

pub use self::file::Book;
pub use self::key::key;
