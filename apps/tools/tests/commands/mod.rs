//! `tamarin book` and `tamarin variant` as processes, with good input and every kind of bad input,
//! and what all commands share.

mod board;
mod book_command;
mod program;
mod variant_command;
#[cfg(unix)]
mod variant_peer;
