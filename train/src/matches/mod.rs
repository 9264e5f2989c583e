//! Matches of two engines (`tamarin-train match`): is the new version stronger?
//!
//! Every opening is played twice with changed colors. fastchess or cutechess-cli plays the
//! games where there is one, else the referee here. Errors and the test come from the results of
//! pairs ([`stats`], [`sprt`]); a row is appended to the list of matches ([`ledger`]).

mod adjudication;
mod arguments;
mod game;
pub mod ledger;
mod limit;
pub(crate) mod openings;
mod other;
mod pgn;
mod player;
mod referee;
mod report;
mod run;
pub mod sprt;
pub mod stats;

pub use adjudication::{DrawRule, ResignRule, RuleError};
pub use arguments::{Arguments, Runner};
pub use limit::{Limit, TimeControlError};
pub use openings::{OpeningsError, Variant};
pub use other::ToolError;
pub use player::{Launch, PlayerError};
pub use referee::RefereeError;
pub use report::{FaultReport, Outcome};
pub use run::{MatchError, run};
#[cfg(feature = "spsa")]
pub(crate) use stats::elo;
