//! Opening books: making them from games, showing and checking them.

pub mod command;
#[cfg(test)]
mod hostile;
pub mod make;
