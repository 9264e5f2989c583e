//! What decides which games are played.

use serde::{Deserialize, Serialize};

use super::adjudication::Adjudication;
use super::openings::OpeningChoice;
use crate::engine::NodeLimits;
use crate::evaluator::EvaluatorArguments;

/// What decides which games are played. Kept beside them: a file is continued with the
/// recipe it was begun with.
#[derive(clap::Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// Seed of the openings; another seed plays other games
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,

    /// Nodes after which the search of a move begins no other iteration
    #[arg(long, default_value_t = 5_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,

    /// The search of a move ends after this many times --nodes
    #[arg(long, default_value_t = 8, value_name = "FACTOR",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) hard_factor: u64,

    /// Hash table of each game, in MiB
    #[arg(long, default_value_t = 8, value_name = "MiB",
          value_parser = clap::value_parser!(u64).range(1..=65_536))]
    pub(super) hash: u64,

    #[command(flatten)]
    #[serde(flatten)]
    pub(super) openings: OpeningChoice,

    /// Openings are used if the first score is within so many engine units
    #[arg(long, default_value_t = 350, value_name = "UNITS")]
    pub(super) opening_score: u16,

    #[command(flatten)]
    pub(super) adjudication: Adjudication,

    #[command(flatten)]
    #[serde(flatten)]
    pub(super) evaluator: EvaluatorArguments,
}

impl Recipe {
    pub(super) fn limits(&self) -> NodeLimits {
        NodeLimits { soft: self.nodes, hard: self.nodes.saturating_mul(self.hard_factor) }
    }
}
