//! The method of a fit: gradient descent (Adam) on the squared error of expected results.

use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};
use tamarin_eval::tuning::{COUNT, Pair};

use super::sparse::{DataSet, Sample};
use crate::adamw::{AdamW, Parameter};
use crate::data::expected;
use crate::error::{Result, reject};
use crate::numbers::{final_rate, not_negative, positive, rate, share};
use crate::parallel::map_chunks;

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

/// Adam, which is AdamW without decay: regularization is part of the gradient here. Gradients of
/// weights that count in few positions come near the usual epsilon of 1e-8.
const ADAM: AdamW = AdamW { decay: 0.0, epsilon: 1e-10, bound: f32::INFINITY };

/// The mean squared error of the results expected by these weights, over all positions of the set.
pub fn error(data: &DataSet, weights: &[Pair], target: Target, threads: usize) -> f64 {
    let sums = map_chunks(data.samples(), threads, |chunk| {
        chunk.iter().map(|sample| squared_error(data, sample, weights, target)).sum::<f64>()
    });
    sums.into_iter().sum::<f64>() / data.count().max(1) as f64
}

/// The squared error of the result expected by these weights for each position of the set, in its
/// order.
pub fn squared_errors(
    data: &DataSet,
    weights: &[Pair],
    target: Target,
    threads: usize,
) -> Vec<f64> {
    let chunks = map_chunks(data.samples(), threads, |chunk| -> Vec<f64> {
        chunk.iter().map(|sample| squared_error(data, sample, weights, target)).collect()
    });
    chunks.concat()
}

fn squared_error(data: &DataSet, sample: &Sample, weights: &[Pair], target: Target) -> f64 {
    let guess = expected(data.trace(sample).score(weights), target.k);
    f64::from(guess - target.of(sample)).powi(2)
}

/// The `k` with which `weights` predict the results of the games best, between 1/1000 and
/// 1/50, by golden-section search.
pub fn fit_k(data: &DataSet, weights: &[Pair], threads: usize) -> f32 {
    let loss = |k: f32| error(data, weights, Target { k, result_share: 1.0 }, threads);
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

pub struct Fit<'a> {
    data: &'a DataSet,
    method: Method,
    threads: usize,
    pub state: FitState,
    order: Vec<u32>,
    /// Which weights keep their value.
    frozen: Vec<bool>,
}

impl<'a> Fit<'a> {
    /// A fit of all positions of the set that starts from these weights. The number of threads that
    /// share a batch, at least 1, changes the last digits of sums, nothing else.
    pub fn new(data: &'a DataSet, method: Method, threads: usize, weights: Vec<Pair>) -> Self {
        let zeros = vec![[0.0; 2]; weights.len()];
        let state = FitState {
            start: weights.clone(),
            momentum: zeros.clone(),
            variance: zeros,
            weights,
            steps: 0,
            epochs: 0,
        };
        Self::with(data, method, threads, state)
    }

    fn with(data: &'a DataSet, method: Method, threads: usize, state: FitState) -> Self {
        let frozen = vec![false; state.weights.len()];
        Self { data, method, threads, state, order: Vec::new(), frozen }
    }

    /// Lets these weights, by their place in the vector, keep their value.
    pub fn freeze(&mut self, weights: impl IntoIterator<Item = usize>) {
        weights.into_iter().for_each(|weight| self.frozen[weight] = true);
    }

    /// Goes on from a kept state: with the same data and method, as if never interrupted.
    pub fn resume(
        data: &'a DataSet,
        method: Method,
        threads: usize,
        state: FitState,
    ) -> Result<Self> {
        for list in [&state.weights, &state.start, &state.momentum, &state.variance] {
            if list.len() != COUNT {
                let found = list.len();
                reject!("the interrupted fit has {found} weights, the evaluation has {COUNT}");
            }
        }
        Ok(Self::with(data, method, threads, state))
    }

    pub const fn is_done(&self) -> bool {
        self.state.epochs >= self.method.epochs
    }

    fn learning_rate(&self) -> f32 {
        let Method { rate: first, final_rate: last, epochs, .. } = self.method;
        let done = self.state.epochs as f32 / (epochs - 1).max(1) as f32;
        last + (first - last) * (1.0 + (core::f32::consts::PI * done).cos()) / 2.0
    }

    /// One pass over the data in an order of its own, which depends on the seed and the
    /// number of the epoch only. Returns the mean squared error over the positions, each measured
    /// just before the step that used it.
    pub fn run_epoch(&mut self) -> f64 {
        let learning_rate = self.learning_rate();
        let seed = self.method.seed.wrapping_add(self.state.epochs as u64);
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        order.extend(0..self.data.count() as u32);
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let mut squares = 0.0;
        for batch in order.chunks(self.method.batch.max(1)) {
            let (gradient, batch_squares) = self.gradient(batch);
            squares += batch_squares;
            self.step(&gradient, learning_rate);
        }
        self.order = order;
        self.state.epochs += 1;
        squares / self.data.count().max(1) as f64
    }

    /// The mean gradient over a batch, and the sum of the squared errors.
    fn gradient(&self, batch: &[u32]) -> (Vec<Pair>, f64) {
        let zeros = vec![[0.0; 2]; self.state.weights.len()];
        let chunks = map_chunks(batch, self.threads, |chunk| {
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
        let (target, sample) = (self.method.target(), &self.data.samples()[index]);
        let trace = self.data.trace(sample);
        let forward = trace.forward(&self.state.weights);
        let guess = expected(forward.score, target.k);
        let error = guess - target.of(sample);
        let slope = 2.0 * error * guess * (1.0 - guess) * target.k;
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
                let pull = 2.0 * self.method.regularization * (*value - anchor);
                let slope = gradient[index][half] + pull;
                let momentum = &mut momentum[index][half];
                let variance = &mut variance[index][half];
                step.update(Parameter { value, momentum, variance, decay_to: 0.0 }, slope);
            }
        }
    }
}
