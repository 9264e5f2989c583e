//! How to train.

use serde::{Deserialize, Serialize};

use crate::numbers::{final_rate, not_negative, rate, share};

/// Whose scores are learned.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Scores {
    /// Of the searches in the games.
    Search,
    /// Of the hand-crafted evaluation, which can judge as many positions as one likes.
    HandCrafted,
}

/// The numbers of the method.
#[derive(clap::Args, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Method {
    /// Neurons of the hidden layer, for each perspective: a multiple of 32
    /// [default: 64, or that of the initial network]
    #[arg(long, value_name = "N")]
    pub width: Option<usize>,

    /// Output buckets by the number of pieces: 1 or 8
    /// [default: 1, or that of the initial network]
    #[arg(long, value_name = "N")]
    pub buckets: Option<usize>,

    /// King buckets: 1 or 4, with weights that they share and weights of their own
    /// [default: 1, or that of the initial network]
    #[arg(long, value_name = "N")]
    pub king_buckets: Option<usize>,

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

    /// Share of the steps in which the learning rate rises from zero to its full size, 0 to 1
    #[arg(long, default_value_t = 0.01, value_name = "SHARE", value_parser = share)]
    pub warm_up: f32,

    /// Learning rate after the warm-up; falls along a cosine
    #[arg(long, default_value_t = 0.001, value_parser = rate)]
    pub rate: f32,

    /// Learning rate of the last step
    #[arg(long, default_value_t = 0.000_008, value_parser = final_rate)]
    pub final_rate: f32,

    /// Weight of the game's result in the target, 0 to 1; the rest is the score
    #[arg(long, default_value_t = 0.15, value_name = "SHARE", value_parser = share)]
    pub lambda: f32,

    /// Plies over which scores are averaged: the score to learn is the mean of that of the position
    /// and those of the next plies of its game, or of as many as there are
    #[arg(long, default_value_t = 1, value_name = "PLIES",
          value_parser = clap::value_parser!(u16).range(1..=64))]
    pub mean_of: u16,

    /// Weight decay: every step brings each weight closer to zero by this share times the learning
    /// rate
    #[arg(long, default_value_t = 0.01, value_name = "SHARE", value_parser = not_negative)]
    pub decay: f32,

    /// Seed of the initial weights and of the order of the positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Method {
    /// The learning rate of a step, numbered from 0, of `steps` in all.
    pub fn rate_of(&self, step: u64, steps: u64) -> f32 {
        let warm_up = (f64::from(self.warm_up) * steps as f64) as u64;
        if step < warm_up {
            return self.rate * (step + 1) as f32 / (warm_up + 1) as f32;
        }
        let last = (steps - warm_up).saturating_sub(1).max(1);
        let done = (step - warm_up) as f32 / last as f32;
        let share = (1.0 + (core::f32::consts::PI * done).cos()) / 2.0;
        self.rate * share + self.final_rate * (1.0 - share)
    }
}
