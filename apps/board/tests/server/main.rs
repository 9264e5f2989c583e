//! The server of the board, as pages use it.

mod analysis;
mod client;
mod editing;
mod files;
mod guard;
mod hostile;
mod kept;
#[path = "../../../../movegen/tests/long/mod.rs"]
mod long;
mod players;
mod playing;
mod variants;
