//! A session: a game with its tree, its players, their clocks, and the engines that work for it.

mod analysis;
mod begin;
mod change;
mod core;
mod engine_moves;
mod error;
mod game_file;
mod games;
mod known;
mod lines;
mod perform;
mod play;
mod questions;
mod report;
mod rules;
mod save;
mod state;
#[cfg(test)]
mod tests;
mod threats;

pub use self::core::{Event, Session};
pub use self::error::SessionError;
pub use self::rules::{Rules, diagnostics};
