//! Analysis of games and positions, suites of test positions, proofs of mates, and opening books
//! made from games: one module for each command of `tamarin-tools`.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

pub mod analyse;
pub mod analyzer;
pub mod book;
mod error;
pub mod explain;
pub mod mate;
mod progress;
mod rejected;
mod resources;
pub mod suite;

/// `{"cp": 35}` in centipawns, or `{"mate": -3}` in moves.
fn score_json(score: tamarin_eval::Score) -> serde_json::Value {
    use tamarin_eval::ScoreValue::{Centipawns, Mate};
    match score.to_uci() {
        Centipawns(value) => serde_json::json!({ "cp": value }),
        Mate(moves) => serde_json::json!({ "mate": moves }),
    }
}
