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

    /// Nodes after which the search of a move begins no other iteration; a quarter in check, where
    /// positions are not learned from
    #[arg(long, default_value_t = 5_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,

    /// The search of a move ends after this many times --nodes
    #[arg(long, default_value_t = 8, value_name = "FACTOR",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) hard_factor: u64,

    /// Hash table of each game, in MiB
    #[arg(long, default_value_t = 1, value_name = "MiB",
          value_parser = clap::value_parser!(u64).range(1..=65_536))]
    pub(super) hash: u64,

    #[command(flatten)]
    #[serde(flatten)]
    pub(super) openings: OpeningChoice,

    /// Share of games that begin with a few pieces anywhere on the board, in percent
    #[arg(long, default_value_t = 10, value_name = "PERCENT",
          value_parser = clap::value_parser!(u8).range(0..=100))]
    #[serde(default)]
    pub(super) endgames: u8,

    /// Openings are used if the first score is within this number of engine units
    #[arg(long, default_value_t = 220, value_name = "UNITS")]
    pub(super) opening_score: u16,

    #[command(flatten)]
    pub(super) adjudication: Adjudication,

    #[command(flatten)]
    #[serde(flatten)]
    pub(super) evaluator: EvaluatorArguments,
}

impl Recipe {
    /// Returns `true` if the game with this number begins with an endgame, whatever the other
    /// openings are.
    ///
    /// These games come in pairs of an even number and the next one, spread evenly.
    pub(super) fn begins_with_endgame(&self, number: u64) -> bool {
        let before = |pairs: u64| u128::from(pairs) * u128::from(self.endgames) / 100;
        let pair = number / 2;
        before(pair) != before(pair + 1)
    }

    /// The limits of a search, in check or not.
    pub(super) fn limits(&self, in_check: bool) -> NodeLimits {
        let soft = if in_check { self.nodes.div_ceil(4) } else { self.nodes };
        NodeLimits { soft, hard: soft.saturating_mul(self.hard_factor) }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        recipe: Recipe,
    }

    #[test]
    fn a_share_of_the_games_begins_with_endgames() {
        for percent in [0, 1, 10, 33, 100] {
            let share = percent.to_string();
            let recipe = Line::parse_from(["test", "--endgames", &share]).recipe;
            let endgames = |from| {
                (from..from + 200).filter(|&number| recipe.begins_with_endgame(number)).count()
            };
            assert_eq!(endgames(0), 2 * percent);
            assert_eq!(endgames(7_000), 2 * percent);
            assert!(endgames(u64::MAX - 300).abs_diff(2 * percent) <= 2);
            let pairs = (0..200).step_by(2).map(|number| [number, number + 1]);
            for pair in pairs {
                let [first, second] = pair.map(|number| recipe.begins_with_endgame(number));
                assert_eq!(first, second);
            }
        }
        assert!(Line::try_parse_from(["test", "--endgames", "101"]).is_err());
    }

    #[test]
    fn searches_in_check_have_a_quarter_of_the_nodes() {
        for (nodes, in_check) in [("1", 1), ("500", 125), ("5000", 1_250)] {
            let recipe = Line::parse_from(["test", "--nodes", nodes, "--hard-factor", "3"]).recipe;
            let limits = |soft| NodeLimits { soft, hard: 3 * soft };
            assert_eq!(recipe.limits(true), limits(in_check));
            assert_eq!(recipe.limits(false), limits(nodes.parse().unwrap()));
        }
    }
}
