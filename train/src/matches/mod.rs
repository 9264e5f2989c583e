//! Matches of two engines (`tamarin-train match`): is the new version stronger?
//!
//! Every opening is played twice with changed colors. fastchess or cutechess-cli plays the
//! games where there is one, else the referee here. Errors and the test come from the results of
//! pairs ([`stats`], [`sprt`]); a row is appended to the list of matches ([`ledger`]).

pub mod adjudication;
mod arguments;
mod game;
pub mod ledger;
mod other;
pub mod pgn;
mod plan;
mod player;
mod referee;
mod report;
mod run;
pub mod sprt;
pub mod stats;
mod tool;

pub use arguments::{Arguments, time_control};
pub use report::{FaultReport, MatchResult};
pub use run::run;
