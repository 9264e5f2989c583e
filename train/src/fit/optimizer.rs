//! Gradient descent (Adam) on the squared error of expected results.

use core::ops::ControlFlow;

use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use tamarin_eval::tuning::{COUNT, Pair};

use super::dataset::{DataSet, Sample};
use crate::adamw::{AdamW, Parameter};
use crate::logistic::expected;
use crate::parallel::map_chunks;

/// Adam, which is AdamW without decay: regularization is part of the gradient here. Gradients of
/// weights that count in few positions come near the usual epsilon of 1e-8.
const ADAM: AdamW = AdamW { decay: 0.0, epsilon: 1e-10, bound: f32::INFINITY };

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Passes over the data.
    pub epochs: usize,
    /// Positions a step; at least 1.
    pub batch_size: usize,
    /// Learning rate in the first and in the last epoch, in engine units a step; falls along
    /// a cosine.
    pub learning_rates: [f32; 2],
    /// How much the game's result counts against the search's score in the target, 0 to 1.
    pub result_share: f32,
    /// Texel's K in natural units: the result expected at a score in engine units is
    /// `1 / (1 + exp(-k * score))`. Sets the size of the engine unit.
    pub k: f32,
    /// L2 regularization towards the weights at the start, in error per squared unit: keeps
    /// weights that hardly ever count from drifting.
    pub regularization: f32,
    /// Seed of the order of the positions.
    pub seed: u64,
    /// Threads that share a batch; at least 1. Changes the last digits of sums, nothing else.
    pub threads: usize,
}

impl Default for Settings {
    /// Settings for some millions of positions.
    fn default() -> Self {
        Self {
            epochs: 40,
            batch_size: 16_384,
            learning_rates: [2.0, 0.02],
            result_share: 0.5,
            k: 0.005,
            regularization: 1e-9,
            seed: 1,
            threads: 2,
        }
    }
}

fn target(sample: &Sample, settings: &Settings) -> f32 {
    let share = settings.result_share;
    share * sample.outcome.for_white() + (1.0 - share) * expected(sample.score, settings.k)
}

/// The mean squared error of the results expected by these weights, over all positions of the
/// set. Of the settings, only `result_share`, `k` and `threads` matter.
///
/// # Panics
/// If the set is of another number of weights than `weights`.
#[must_use]
pub fn error(data: &DataSet, weights: &[Pair], settings: &Settings) -> f64 {
    let sums = map_chunks(data.samples(), settings.threads, |chunk| {
        chunk.iter().map(|sample| squared_error(data, sample, weights, settings)).sum::<f64>()
    });
    sums.into_iter().sum::<f64>() / data.len().max(1) as f64
}

/// The squared error of the result expected by these weights for each position of the set, in its
/// order; otherwise as [`error`].
///
/// # Panics
/// If the set is of another number of weights than `weights`.
#[must_use]
pub fn squared_errors(data: &DataSet, weights: &[Pair], settings: &Settings) -> Vec<f64> {
    let chunks = map_chunks(data.samples(), settings.threads, |chunk| -> Vec<f64> {
        chunk.iter().map(|sample| squared_error(data, sample, weights, settings)).collect()
    });
    chunks.concat()
}

fn squared_error(data: &DataSet, sample: &Sample, weights: &[Pair], settings: &Settings) -> f64 {
    let guess = expected(data.trace(sample).score(weights), settings.k);
    f64::from(guess - target(sample, settings)).powi(2)
}

/// The `k` with which `weights` predict the results of the games best, between 1/1000 and
/// 1/50, by golden-section search.
#[must_use]
pub fn fit_k(data: &DataSet, weights: &[Pair], threads: usize) -> f32 {
    let loss = |k: f32| {
        let settings = Settings { k, threads, result_share: 1.0, ..Settings::default() };
        error(data, weights, &settings)
    };
    let ratio = (5.0_f32.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (0.001, 0.02);
    for _ in 0..20 {
        let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
        if loss(left) < loss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    (low + high) / 2.0
}

/// All of a fit that has to be kept to go on with it later.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FitState {
    /// The weights so far.
    pub weights: Vec<Pair>,
    /// The weights at the start, towards which regularization pulls.
    pub start: Vec<Pair>,
    /// Adam's mean of the gradients.
    pub momentum: Vec<Pair>,
    /// Adam's mean of the squared gradients.
    pub variance: Vec<Pair>,
    pub steps: u64,
    pub epochs: usize,
}

/// A state that is not of this build's weights.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the state has {found} weights, the evaluation has {expected}")]
pub struct LengthError {
    /// How many the state has.
    pub found: usize,
    /// How many it should have.
    pub expected: usize,
}

/// What a caller learns after each epoch.
#[derive(Clone, Copy, Debug)]
pub struct EpochReport<'a> {
    /// Enough to save the fit and go on with it later.
    pub state: &'a FitState,
    /// The mean squared error over the training positions, each measured just before the
    /// step that used it.
    pub error: f64,
}

/// A fit under way.
pub struct Fit<'a> {
    data: &'a DataSet,
    settings: Settings,
    state: FitState,
    order: Vec<u32>,
    /// Which weights keep their value.
    frozen: Vec<bool>,
}

impl<'a> Fit<'a> {
    /// A fit of all positions of the set that starts from these weights.
    #[must_use]
    pub fn new(data: &'a DataSet, settings: Settings, weights: Vec<Pair>) -> Self {
        let zeros = vec![[0.0; 2]; weights.len()];
        let state = FitState {
            start: weights.clone(),
            momentum: zeros.clone(),
            variance: zeros,
            weights,
            steps: 0,
            epochs: 0,
        };
        Self::with(data, settings, state)
    }

    fn with(data: &'a DataSet, settings: Settings, state: FitState) -> Self {
        let frozen = vec![false; state.weights.len()];
        Self { data, settings, state, order: Vec::new(), frozen }
    }

    /// Lets these weights, by their place in the vector, keep their value.
    ///
    /// # Panics
    /// If there is no such weight.
    pub fn freeze(&mut self, weights: impl IntoIterator<Item = usize>) {
        weights.into_iter().for_each(|weight| self.frozen[weight] = true);
    }

    /// Goes on from a kept state: with the same data and settings, as if never interrupted.
    pub fn resume(
        data: &'a DataSet,
        settings: Settings,
        state: FitState,
    ) -> Result<Self, LengthError> {
        for list in [&state.weights, &state.start, &state.momentum, &state.variance] {
            if list.len() != COUNT {
                return Err(LengthError { found: list.len(), expected: COUNT });
            }
        }
        Ok(Self::with(data, settings, state))
    }

    /// The fit so far.
    #[must_use]
    pub const fn state(&self) -> &FitState {
        &self.state
    }

    /// Runs the epochs that are left. `report` hears of each and may stop the fit by
    /// [`ControlFlow::Break`].
    pub fn run(&mut self, mut report: impl FnMut(EpochReport<'_>) -> ControlFlow<()>) {
        while self.state.epochs < self.settings.epochs {
            let learning_rate = self.learning_rate();
            let error = self.run_epoch(learning_rate);
            if report(EpochReport { state: &self.state, error }).is_break() {
                break;
            }
        }
    }

    fn learning_rate(&self) -> f32 {
        let [first, last] = self.settings.learning_rates;
        let done = self.state.epochs as f32 / (self.settings.epochs - 1).max(1) as f32;
        last + (first - last) * (1.0 + (core::f32::consts::PI * done).cos()) / 2.0
    }

    /// One pass over the data in an order of its own, which depends on the seed and the
    /// number of the epoch only. Returns the mean squared error met on the way.
    fn run_epoch(&mut self, learning_rate: f32) -> f64 {
        let seed = self.settings.seed.wrapping_add(self.state.epochs as u64);
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        order.extend(0..self.data.len() as u32);
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let mut squares = 0.0;
        for batch in order.chunks(self.settings.batch_size.max(1)) {
            let (gradient, batch_squares) = self.gradient(batch);
            squares += batch_squares;
            self.step(&gradient, learning_rate);
        }
        self.order = order;
        self.state.epochs += 1;
        squares / self.data.len().max(1) as f64
    }

    /// The mean gradient over a batch, and the sum of the squared errors.
    fn gradient(&self, batch: &[u32]) -> (Vec<Pair>, f64) {
        let zeros = vec![[0.0; 2]; self.state.weights.len()];
        let chunks = map_chunks(batch, self.settings.threads, |chunk| {
            let mut gradient = zeros.clone();
            let squares = chunk
                .iter()
                .map(|&index| self.add_gradient(index as usize, &mut gradient))
                .map(f64::from)
                .sum::<f64>();
            (gradient, squares)
        });
        let (mut mean, mut squares) = (zeros, 0.0);
        for (gradient, chunk_squares) in chunks {
            squares += chunk_squares;
            for (sum, part) in mean.iter_mut().flatten().zip(gradient.into_iter().flatten()) {
                *sum += part / batch.len() as f32;
            }
        }
        (mean, squares)
    }

    /// Adds the gradient of one position's squared error; returns the squared error.
    fn add_gradient(&self, index: usize, gradient: &mut [Pair]) -> f32 {
        let (settings, sample) = (&self.settings, &self.data.samples()[index]);
        let trace = self.data.trace(sample);
        let forward = trace.forward(&self.state.weights);
        let guess = expected(forward.score, settings.k);
        let error = guess - target(sample, settings);
        let slope = 2.0 * error * guess * (1.0 - guess) * settings.k;
        trace.add_gradient(&forward, slope, gradient);
        error * error
    }

    /// One step against the gradient and the pull of regularization.
    fn step(&mut self, gradient: &[Pair], learning_rate: f32) {
        let FitState { weights, start, momentum, variance, steps, .. } = &mut self.state;
        *steps += 1;
        let step = ADAM.step(*steps, learning_rate);
        for index in (0..weights.len()).filter(|&index| !self.frozen[index]) {
            for half in 0..2 {
                let (value, anchor) = (&mut weights[index][half], start[index][half]);
                let pull = 2.0 * self.settings.regularization * (*value - anchor);
                let slope = gradient[index][half] + pull;
                let momentum = &mut momentum[index][half];
                let variance = &mut variance[index][half];
                step.update(Parameter { value, momentum, variance, decay_to: 0.0 }, slope);
            }
        }
    }
}
