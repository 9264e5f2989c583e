//! `tamarin board`: a board in the browser to play, to watch and to analyze on.
//!
//! The server and the engine are one process. The page knows no rules: [`protocol`] says what it is
//! sent and what it may ask for.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

mod error;
mod explorer;
mod library;
mod players;
pub mod protocol;
mod server;
mod session;
mod sessions;
mod start;

pub use players::Resources;
pub use server::Server;
pub use session::Folder;
pub use sessions::Sessions;
pub use start::{Arguments, run};
