//! How to fit.

use serde::{Deserialize, Serialize};

use super::dataset::Sample;
use crate::data::expected;
use crate::numbers::{final_rate, not_negative, positive, rate, share};

/// The numbers of the method.
#[derive(clap::Args, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Method {
    /// Passes over the positions
    #[arg(long, default_value_t = 40, value_name = "N")]
    pub epochs: usize,

    /// Positions a step
    #[arg(long, default_value_t = 16_384, value_name = "N")]
    pub batch: usize,

    /// Learning rate of the first epoch, in engine units a step; falls along a cosine
    #[arg(long, default_value_t = 1.0, value_parser = rate)]
    pub rate: f32,

    /// Learning rate of the last epoch
    #[arg(long, default_value_t = 0.01, value_parser = final_rate)]
    pub final_rate: f32,

    /// Weight of the game's result in the target (lambda), 0 to 1; the rest is the search's score
    #[arg(long, default_value_t = 0.5, value_name = "SHARE", value_parser = share)]
    pub result_share: f32,

    /// Texel's K per engine unit: a score of x is expected to give 1 / (1 + exp(-K x)) points.
    /// Sets the size of the unit, and with it what every margin of the search means
    #[arg(long, default_value_t = 0.005, value_parser = positive)]
    pub k: f32,

    /// L2 regularization towards the weights at the start
    #[arg(long, default_value_t = 1e-9, value_parser = not_negative)]
    pub regularization: f32,

    /// Seed of the order of the positions
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
}

impl Method {
    pub const fn target(&self) -> Target {
        Target { result_share: self.result_share, k: self.k }
    }
}

/// What the error of a position is measured against.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// How much the game's result counts against the search's score, 0 to 1.
    pub result_share: f32,
    /// Texel's K in natural units: the result expected at a score in engine units is
    /// `1 / (1 + exp(-k * score))`. Sets the size of the engine unit.
    pub k: f32,
}

impl Target {
    /// Results alone, so that fits with other targets can be compared.
    pub const fn results(self) -> Self {
        Self { result_share: 1.0, ..self }
    }

    pub fn of(self, sample: &Sample) -> f32 {
        let share = self.result_share;
        share * sample.outcome.for_white() + (1.0 - share) * expected(sample.score, self.k)
    }
}
