//! A table: a game with its tree, its players, their clocks, and the engines that work for it.

mod analysis;
mod ask;
mod base;
mod begin;
mod change;
mod engine_moves;
mod error;
mod event;
mod game_file;
mod games;
mod keep;
mod known;
mod lines;
mod perform;
mod play;
mod question;
mod report;
mod report_variant;
mod report_work;
mod rules;
mod state;
#[cfg(test)]
mod tests;
mod threat_lines;
mod threats;

pub use self::base::Table;
pub use self::error::TableError;
pub use self::event::Event;
pub use self::rules::{Rules, diagnostics};
