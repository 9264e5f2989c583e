//! What decides which games are played.

use serde::{Deserialize, Serialize};
use tamarin_search::Limits;

use crate::engine::{EvaluatorArguments, node_limits};
use crate::openings::random::OpeningChoice;
use crate::play::Adjudication;

/// What decides which games are played. Kept beside them: a file is continued with the
/// recipe it was begun with.
#[derive(clap::Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// Seed of the openings; another seed plays other games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Nodes after which the search of a move begins no other iteration; a quarter in check, where
    /// positions are not learned from
    #[arg(long, default_value_t = 5_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,

    /// The search of a move ends after this many times --nodes
    #[arg(long, default_value_t = 8, value_name = "FACTOR",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub hard_factor: u64,

    /// Hash table of each game, in MiB
    #[arg(long, default_value_t = 1, value_name = "MiB",
          value_parser = clap::value_parser!(u64).range(1..=65_536))]
    pub hash: u64,

    #[command(flatten)]
    #[serde(flatten)]
    pub openings: OpeningChoice,

    /// Share of games that begin with a few pieces anywhere on the board, in percent
    #[arg(long, default_value_t = 10, value_name = "PERCENT",
          value_parser = clap::value_parser!(u8).range(0..=100))]
    #[serde(default)]
    pub endgames: u8,

    /// Openings are used if the first score is within this number of engine units
    #[arg(long, default_value_t = 220, value_name = "UNITS")]
    pub opening_score: u16,

    #[command(flatten)]
    pub adjudication: Adjudication,

    #[command(flatten)]
    #[serde(flatten)]
    pub evaluator: EvaluatorArguments,
}

impl Recipe {
    /// Returns `true` if the game with this number begins with an endgame, whatever the other
    /// openings are.
    ///
    /// These games come in pairs of an even number and the next one, spread evenly.
    pub fn begins_with_endgame(&self, number: u64) -> bool {
        let before = |pairs: u64| u128::from(pairs) * u128::from(self.endgames) / 100;
        let pair = number / 2;
        before(pair) != before(pair + 1)
    }

    /// The limits of a search, in check or not.
    pub fn limits(&self, in_check: bool) -> Limits {
        let soft = if in_check { self.nodes.div_ceil(4) } else { self.nodes };
        node_limits(soft, soft.saturating_mul(self.hard_factor))
    }
}
