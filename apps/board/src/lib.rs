//! `tamarin board`: a board in the browser to play, to watch and to analyze on.
//!
//! The server and the engine are one process. The page knows no rules: [`protocol`] says what it is
//! sent and what it may ask for.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

mod arguments;
mod hall;
mod pieces;
mod players;
pub mod protocol;
mod resources;
mod saved;
mod serve;
mod start;
mod table;

pub use arguments::Arguments;
pub use hall::Hall;
pub use resources::Resources;
pub use saved::Folder;
pub use serve::{Limits, Server, Settings};
pub use start::run;
