//! `tamarin variant serve` and `tamarin variant connect`: games with another program over a
//! network, in the JSON protocol of the thesis.
//!
//! The peer is not trusted. Every message is checked, lines have a limit of length and of time,
//! and games are found by name among those offered: no name of a peer is ever used as a path.

mod arguments;
#[allow(missing_docs, reason = "public for the fuzz target alone")]
pub mod board;
mod connect;
mod connection;
mod game;
#[allow(missing_docs, reason = "public for the fuzz target alone")]
pub mod message;
mod report;
mod serve;

use std::path::Path;

use message::{Message, VERSION};
use tamarin_game::about;

pub(super) use arguments::{ConnectArguments, ServeArguments};
pub(super) use connect::connect;
pub(super) use message::PeerError;
pub(super) use serve::serve;

/// The greeting of this program.
fn hello() -> Message {
    Message::Hello { version: VERSION, name: format!("Tamarin {}", about::VERSION) }
}

/// The name of a built-in game, or that of a file without folder and ending.
fn offered_name(game: &str) -> &str {
    Path::new(game).file_stem().and_then(|stem| stem.to_str()).unwrap_or(game)
}
