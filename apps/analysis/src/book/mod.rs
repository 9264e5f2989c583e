//! Opening books: making them from games, showing and checking them.

#[cfg(test)]
mod built_in;
pub mod command;
#[cfg(test)]
mod hostile;
pub mod make;
