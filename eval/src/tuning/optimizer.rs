//! Gradient descent (Adam) on the squared error of predicted results.

use std::thread;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::Pair;
use super::data::{Coefficient, DataSet, Sample};
use crate::terms::danger::{ENDGAME_DIVISOR, MAX_DANGER, MIDDLEGAME_DIVISOR};

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Passes over the data.
    pub epochs: usize,
    /// Positions a step.
    pub batch: usize,
    /// Step size at the start, in engine units; falls to a hundredth along a cosine.
    pub rate: f32,
    /// How much the game's result counts against the search's score, 0 to 1.
    pub result_share: f32,
    /// Pull towards the starting weights, in error per squared unit: keeps weights
    /// that hardly ever count from drifting.
    pub pull: f32,
    /// Steepness of the expected result: `1 / (1 + exp(-steepness * score))`.
    pub steepness: f32,
    /// Seed of the order of the batches.
    pub seed: u64,
    /// Threads that share a batch. Changes the last digits of sums, nothing else.
    pub threads: usize,
}

/// The result expected at a score in engine units, 0 to 1.
#[must_use]
pub fn expected(score: f32, steepness: f32) -> f32 {
    1.0 / (1.0 + (-steepness * score).exp())
}

/// What the weights make of a position, in engine units, White's view, with what a
/// gradient needs on the way back.
struct Forward {
    score: f32,
    /// Scale of the endgame half in force.
    scale: f32,
    /// Danger of both attacks before the curve, `[side][phase]`.
    danger: [Pair; 2],
}

fn sum(coefficients: &[Coefficient], weights: &[Pair]) -> Pair {
    let mut sum = [0.0; 2];
    for coefficient in coefficients {
        let count = f32::from(coefficient.count);
        let weight = weights[usize::from(coefficient.slot)];
        sum[0] += count * weight[0];
        sum[1] += count * weight[1];
    }
    sum
}

/// The curve of [`crate::terms::danger`] on real numbers.
fn curve(danger: Pair) -> Pair {
    let [middlegame, endgame] = danger.map(|half| half.clamp(0.0, MAX_DANGER as f32));
    [middlegame * middlegame / MIDDLEGAME_DIVISOR as f32, endgame / ENDGAME_DIVISOR as f32]
}

/// The curve's slope.
fn slope(danger: Pair) -> Pair {
    let inside = |half: f32| half > 0.0 && half < MAX_DANGER as f32;
    let [middlegame, endgame] = danger;
    [
        if inside(middlegame) { 2.0 * middlegame / MIDDLEGAME_DIVISOR as f32 } else { 0.0 },
        if inside(endgame) { 1.0 / ENDGAME_DIVISOR as f32 } else { 0.0 },
    ]
}

fn forward(data: &DataSet, sample: &Sample, weights: &[Pair]) -> Forward {
    let counts = data.counts(sample);
    let linear = sum(counts.linear, weights);
    let danger = counts.attacks.map(|attack| sum(attack, weights));
    let [white, black] = danger.map(curve);
    let total = [linear[0] + white[0] - black[0], linear[1] + white[1] - black[1]];
    let scale = sample.scales[usize::from(total[1] < 0.0)];
    let score = total[0] * sample.middlegame + total[1] * scale * (1.0 - sample.middlegame);
    Forward { score, scale, danger }
}

/// The score of a sample under real-valued weights, in engine units, White's view.
#[must_use]
pub fn score(data: &DataSet, sample: &Sample, weights: &[Pair]) -> f32 {
    forward(data, sample, weights).score
}

fn target(sample: &Sample, settings: &Settings) -> f32 {
    let share = settings.result_share;
    share * sample.result + (1.0 - share) * expected(sample.score, settings.steepness)
}

/// Adds the gradient of one sample's squared error.
fn add_gradient(
    data: &DataSet,
    sample: &Sample,
    weights: &[Pair],
    settings: &Settings,
    gradient: &mut [Pair],
) {
    let made = forward(data, sample, weights);
    let guess = expected(made.score, settings.steepness);
    let error = guess - target(sample, settings);
    let base = 2.0 * error * guess * (1.0 - guess) * settings.steepness;
    let phases = [base * sample.middlegame, base * made.scale * (1.0 - sample.middlegame)];
    let counts = data.counts(sample);
    let mut spread = |coefficients: &[Coefficient], factor: Pair| {
        for coefficient in coefficients {
            let count = f32::from(coefficient.count);
            let slot = &mut gradient[usize::from(coefficient.slot)];
            slot[0] += count * factor[0];
            slot[1] += count * factor[1];
        }
    };
    spread(counts.linear, phases);
    for (side, sign) in [(0, 1.0), (1, -1.0)] {
        let slope = slope(made.danger[side]);
        spread(counts.attacks[side], [sign * phases[0] * slope[0], sign * phases[1] * slope[1]]);
    }
}

/// The mean squared error over samples `from..to` of the set.
#[must_use]
pub fn error(
    data: &DataSet,
    range: core::ops::Range<usize>,
    weights: &[Pair],
    settings: &Settings,
) -> f64 {
    let samples = &data.samples[range];
    let size = samples.len().div_ceil(settings.threads.max(1)).max(1);
    let sums: Vec<f64> = thread::scope(|scope| {
        let workers: Vec<_> = samples
            .chunks(size)
            .map(|chunk| {
                scope.spawn(move || {
                    let squared = |sample: &Sample| {
                        let guess = expected(score(data, sample, weights), settings.steepness);
                        f64::from(guess - target(sample, settings)).powi(2)
                    };
                    chunk.iter().map(squared).sum::<f64>()
                })
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap_or(f64::NAN)).collect()
    });
    sums.iter().sum::<f64>() / samples.len().max(1) as f64
}

/// Fits the steepness: the one that lets `weights` predict the game results best.
/// Searches between 1/1000 and 1/50 by golden section.
#[must_use]
pub fn fit_steepness(data: &DataSet, weights: &[Pair], settings: &Settings) -> f32 {
    let loss = |steepness: f32| {
        let settings = Settings { steepness, result_share: 1.0, ..*settings };
        error(data, 0..data.samples.len(), weights, &settings)
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

/// The state of a fit.
pub struct Fit<'a> {
    data: &'a DataSet,
    settings: Settings,
    start: Vec<Pair>,
    /// The weights so far.
    pub weights: Vec<Pair>,
    momentum: Vec<Pair>,
    variance: Vec<Pair>,
    steps: i32,
    order: Vec<u32>,
    random: Xoshiro256PlusPlus,
}

impl<'a> Fit<'a> {
    /// Starts from these weights, over the first `count` samples of the set.
    #[must_use]
    pub fn new(data: &'a DataSet, count: usize, weights: Vec<Pair>, settings: Settings) -> Self {
        Self {
            data,
            settings,
            start: weights.clone(),
            momentum: vec![[0.0; 2]; weights.len()],
            variance: vec![[0.0; 2]; weights.len()],
            weights,
            steps: 0,
            order: (0..count as u32).collect(),
            random: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
        }
    }

    /// One pass over the data in a new random order; `epoch` counts from 0.
    pub fn epoch(&mut self, epoch: usize) {
        for last in (1..self.order.len()).rev() {
            let other = (self.random.next_u64() % (last as u64 + 1)) as usize;
            self.order.swap(last, other);
        }
        let done = epoch as f32 / self.settings.epochs as f32;
        let cosine = (1.0 + (core::f32::consts::PI * done).cos()) / 2.0;
        let rate = self.settings.rate * (0.01 + 0.99 * cosine);
        let order = core::mem::take(&mut self.order);
        for batch in order.chunks(self.settings.batch) {
            let gradient = self.gradient(batch);
            self.step(&gradient, rate);
        }
        self.order = order;
    }

    /// The mean gradient over a batch. Each thread sums its share in order and the
    /// shares are added in order, so that a run can be repeated exactly.
    fn gradient(&self, batch: &[u32]) -> Vec<Pair> {
        let size = batch.len().div_ceil(self.settings.threads.max(1)).max(1);
        let shares: Vec<Vec<Pair>> = thread::scope(|scope| {
            let workers: Vec<_> = batch
                .chunks(size)
                .map(|share| {
                    scope.spawn(move || {
                        let mut gradient = vec![[0.0; 2]; self.weights.len()];
                        for &index in share {
                            let sample = &self.data.samples[index as usize];
                            let (weights, settings) = (&self.weights, &self.settings);
                            add_gradient(self.data, sample, weights, settings, &mut gradient);
                        }
                        gradient
                    })
                })
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().expect("invariant: sums do not panic"))
                .collect()
        });
        let mut total = vec![[0.0; 2]; self.weights.len()];
        for share in shares {
            for (sum, part) in total.iter_mut().zip(share) {
                sum[0] += part[0] / batch.len() as f32;
                sum[1] += part[1] / batch.len() as f32;
            }
        }
        total
    }

    /// One step of Adam with its usual constants.
    ///
    /// Source: D. Kingma and J. Ba, "Adam: A Method for Stochastic Optimization", 2015.
    fn step(&mut self, gradient: &[Pair], rate: f32) {
        const KEEP_MOMENTUM: f32 = 0.9;
        const KEEP_VARIANCE: f32 = 0.999;
        self.steps += 1;
        let momentum_share = 1.0 - KEEP_MOMENTUM.powi(self.steps);
        let variance_share = 1.0 - KEEP_VARIANCE.powi(self.steps);
        let halves = |pairs: &[Pair]| pairs.iter().flatten().copied().collect::<Vec<_>>();
        let (start, gradient) = (halves(&self.start), halves(gradient));
        let weights = self.weights.iter_mut().flatten();
        let moments = self.momentum.iter_mut().flatten().zip(self.variance.iter_mut().flatten());
        for (((weight, (momentum, variance)), slope), start) in
            weights.zip(moments).zip(gradient).zip(start)
        {
            let slope = slope + 2.0 * self.settings.pull * (*weight - start);
            *momentum = KEEP_MOMENTUM * *momentum + (1.0 - KEEP_MOMENTUM) * slope;
            *variance = KEEP_VARIANCE * *variance + (1.0 - KEEP_VARIANCE) * slope * slope;
            let size = (*variance / variance_share).sqrt() + 1e-10;
            *weight -= rate * (*momentum / momentum_share) / size;
        }
    }
}
