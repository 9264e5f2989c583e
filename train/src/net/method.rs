//! How to train.

use serde::{Deserialize, Serialize};

use crate::numbers::{not_negative, positive, share};

/// Whose scores are learned.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Scores {
    /// Of the searches in the games.
    Search,
    /// Of the hand-crafted evaluation, which can judge as many positions as one likes.
    HandCrafted,
}

/// The numbers of the method.
#[derive(clap::Args, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Method {
    /// Neurons of the hidden layer, for each perspective: a multiple of 32
    /// [default: 64, or that of the initial network]
    #[arg(long, value_name = "N")]
    pub width: Option<usize>,

    /// Output buckets by the number of pieces: 1 or 8
    /// [default: 1, or that of the initial network]
    #[arg(long, value_name = "N")]
    pub buckets: Option<usize>,

    /// Whose scores to learn: of the searches in the games, with the results; or of the hand-crafted
    /// evaluation, without: of all positions of the games that are not in check, and of those
    /// after random moves, where the filters hold for validation only
    #[arg(long, value_enum, default_value_t = Scores::Search)]
    pub scores: Scores,

    /// With hand-crafted scores: random moves to play from each position, of which every one makes
    /// another position
    #[arg(long, default_value_t = 3, value_name = "N")]
    pub random_plies: u32,

    /// Passes over the positions
    #[arg(long, default_value_t = 25, value_name = "N")]
    pub epochs: usize,

    /// Positions a step
    #[arg(long, default_value_t = 16_384, value_name = "N")]
    pub batch: usize,

    /// Learning rate of the first step; falls along a cosine
    #[arg(long, default_value_t = 0.001, value_parser = positive)]
    pub rate: f32,

    /// Learning rate of the last step
    #[arg(long, default_value_t = 0.000_01, value_parser = not_negative)]
    pub final_rate: f32,

    /// Weight of the game's result in the target (lambda), 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.3, value_name = "SHARE", value_parser = share)]
    pub result_share: f32,

    /// Weight decay: every step brings each weight closer to zero, or to that of the initial
    /// network, by this share times the learning rate
    #[arg(long, default_value_t = 0.01, value_name = "SHARE", value_parser = not_negative)]
    pub decay: f32,

    /// Seed of the initial weights and of the order of the positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Method {
    /// The learning rate of a step, numbered from 0, of `steps` in all.
    pub fn rate_of(&self, step: u64, steps: u64) -> f32 {
        let done = step as f32 / steps.saturating_sub(1).max(1) as f32;
        let share = (1.0 + (core::f32::consts::PI * done).cos()) / 2.0;
        self.rate * share + self.final_rate * (1.0 - share)
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::Method;

    #[derive(Parser)]
    struct Program {
        #[command(flatten)]
        method: Method,
    }

    #[test]
    fn the_rate_falls_from_the_first_step_to_the_last() {
        let method = Program::parse_from(["net", "--rate", "0.1", "--final-rate", "0.02"]).method;
        let rates: Vec<_> = (0..5).map(|step| method.rate_of(step, 5)).collect();
        assert_eq!((rates[0], rates[4]), (0.1, 0.02));
        assert!((rates[2] - 0.06).abs() < 1e-6, "{rates:?}");
        assert!(rates.is_sorted_by(|left, right| left > right), "{rates:?}");
        assert_eq!(method.rate_of(0, 1), 0.1);
    }
}
