//! Simultaneous perturbation stochastic approximation: all numbers at once are moved up or
//! down at random, and what plays better pulls them along.
//!
//! Source: J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation", 1992; its use in chess, with the step at the end of the run as
//! what the user sets, is that of Stockfish's fishtest.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_search::Tunable;

use crate::pairs::{Experiment, Sides};

/// How fast the learning rate falls; the usual constants.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The share of the run after which the learning rate begins to fall in earnest.
const STABILITY: f64 = 0.1;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    pub name: String,
    /// Where it began: the default of the build.
    pub start: i32,
    pub min: i32,
    pub max: i32,
    /// The perturbation at the end of the run.
    pub step: f64,
    pub value: f64,
}

impl From<&Tunable> for Parameter {
    fn from(tunable: &Tunable) -> Self {
        Self {
            name: tunable.name.to_owned(),
            start: tunable.default,
            min: tunable.min,
            max: tunable.max,
            step: tunable.step.into(),
            value: tunable.default.into(),
        }
    }
}

impl Parameter {
    /// The whole number it comes to.
    pub fn rounded(&self) -> i32 {
        self.value.round() as i32
    }

    fn clamped(&self, value: f64) -> f64 {
        value.clamp(self.min.into(), self.max.into())
    }
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuner {
    pub parameters: Vec<Parameter>,
    pub pairs: u64,
    pub played: u64,
    /// The learning rate at the end, in squared steps a game.
    pub rate: f64,
    pub seed: u64,
}

impl Tuner {
    /// The perturbation of a parameter with this step in the given pair.
    fn perturbation(&self, step: f64, pair: u64) -> f64 {
        step * (self.pairs as f64 / (pair + 1) as f64).powf(GAMMA)
    }

    /// What the parameters were before the first pair.
    fn beginning(&self) -> impl Iterator<Item = Parameter> {
        let at_start = |p: &Parameter| Parameter { value: p.start.into(), ..p.clone() };
        self.parameters.iter().map(at_start)
    }
}

impl Experiment for Tuner {
    fn names(&self) -> Vec<String> {
        self.parameters.iter().map(|parameter| parameter.name.clone()).collect()
    }

    fn pairs(&self) -> u64 {
        self.pairs
    }

    fn played(&self) -> u64 {
        self.played
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn began_like(&self, other: &Self) -> bool {
        let settings = |tuner: &Self| (tuner.pairs, tuner.rate.to_bits(), tuner.seed);
        settings(self) == settings(other) && self.beginning().eq(other.beginning())
    }

    /// What the sides of a pair play with. Values between two whole numbers become one of
    /// them at random, the nearer the likelier, so that small changes count on average.
    fn sides(&self, pair: u64, random: &mut Xoshiro256PlusPlus) -> Sides {
        let mut directions = Vec::new();
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for parameter in &self.parameters {
            let direction = if random.random() { 1.0 } else { -1.0 };
            let change = direction * self.perturbation(parameter.step, pair);
            let mut round = |value: f64| {
                let value = parameter.clamped(value);
                (value + random.random::<f64>()).floor().min(parameter.max.into()) as i32
            };
            plus.push(round(parameter.value + change));
            minus.push(round(parameter.value - change));
            directions.push(direction);
        }
        Sides { pair, directions, plus, minus }
    }

    fn learn(&mut self, tried: &Sides, lead: f64) {
        let stability = STABILITY * self.pairs as f64;
        let progress = (stability + self.pairs as f64) / (stability + (tried.pair + 1) as f64);
        let decay = progress.powf(ALPHA);
        for index in 0..self.parameters.len() {
            let step = self.parameters[index].step;
            let gain = self.rate * step * step * decay / self.perturbation(step, tried.pair);
            let parameter = &mut self.parameters[index];
            let moved = parameter.value + gain * tried.directions[index] * lead;
            parameter.value = parameter.clamped(moved);
        }
        self.played += 1;
    }
}
