//! The method of a training: gradient descent over all positions, epoch by epoch.

use std::thread;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::model::{LANES, MAX_PARAMETER, Shape, Values, add};
use super::pass::{POSITIONS, Pass, target};
use super::positions::{Batch, Positions};
use super::record::Record;
use crate::adamw::{self, AdamW, Parameter};
use crate::data::expected;
use crate::error::Result;
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

    /// Share of the steps, at the end, that keep the final learning rate and whose parameters are
    /// averaged: the network is their mean, 0 to 1
    // Source: P. Izmailov et al., "Averaging Weights Leads to Wider Optima and Better
    // Generalization", 2018.
    #[arg(long, default_value_t = 0.0, value_name = "SHARE", value_parser = share)]
    pub tail: f32,

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
        if self.in_tail(step, steps) {
            return self.final_rate;
        }
        let last = (steps - self.tail_of(steps)).saturating_sub(warm_up + 1).max(1);
        let done = (step - warm_up) as f32 / last as f32;
        let share = (1.0 + (core::f32::consts::PI * done).cos()) / 2.0;
        self.rate * share + self.final_rate * (1.0 - share)
    }

    fn tail_of(&self, steps: u64) -> u64 {
        (f64::from(self.tail) * steps as f64) as u64
    }

    /// Returns `true` if the parameters after this step belong to the mean.
    fn in_tail(&self, step: u64, steps: u64) -> bool {
        step >= steps - self.tail_of(steps)
    }
}

/// The usual one of Adam.
const EPSILON: f32 = 1e-8;

/// The greatest number of portions of a batch. One thread sums up the gradient of a portion; those
/// of all are added in their order, so that the number of threads changes nothing.
const PORTIONS: usize = 8;

/// Positions of a portion, at least: each has to be worth its zeros and sums.
const LEAST_PORTION: usize = 1_024;

/// All of a training that has to be kept to resume it later.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct State {
    pub values: Values,
    momentum: Values,
    variance: Values,
    /// The mean of the parameters after each of the last `averaged` steps.
    mean: Values,
    averaged: u64,
    pub steps: u64,
    /// For each epoch done, the error on the targets: of the training, met on the way, and of the
    /// validation after it.
    pub errors: Vec<[f64; 2]>,
}

/// How far an epoch is.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub steps: u64,
    pub error: f64,
}

pub struct Training<'a> {
    positions: &'a Positions,
    shape: Shape,
    method: Method,
    pub threads: usize,
    pub state: State,
    portion: usize,
    portions: Vec<Portion>,
    workers: Vec<Worker>,
    /// With king buckets, the parameters unfolded; else nothing.
    unfolded: Option<Values>,
    /// With king buckets, the gradient of the weights they share.
    shared_gradient: Values,
    /// What the parameters decay to.
    decay_to: Values,
}

struct Portion {
    gradient: Values,
    squared_errors: f64,
}

/// What a thread needs for its portions.
struct Worker {
    pass: Pass,
    /// Copies: taken from all over the memory at once, they are not waited for one by one.
    records: Vec<Record>,
    slopes: Vec<f32>,
}

impl State {
    /// The start from these parameters.
    pub fn new(values: Values) -> Self {
        let zeros = Values::zeros(values.len());
        let [momentum, variance] = [zeros.clone(), zeros.clone()];
        Self { values, momentum, variance, mean: zeros, averaged: 0, steps: 0, errors: Vec::new() }
    }

    /// Adds the parameters to their mean.
    fn average(&mut self) {
        self.averaged += 1;
        let share = 1.0 / self.averaged as f32;
        let pairs = self.mean.iter_mut().zip(&*self.values);
        pairs.for_each(|(mean, value)| *mean += share * (value - *mean));
    }

    /// Returns `true` if it is of a network of this shape.
    pub fn fits(&self, shape: Shape) -> bool {
        [&self.values, &self.momentum, &self.variance, &self.mean]
            .iter()
            .all(|list| list.len() == shape.trained_length())
    }

    pub fn epochs(&self) -> usize {
        self.errors.len()
    }
}

impl<'a> Training<'a> {
    /// A training with `threads` threads that begins or resumes with a state, which has to fit the
    /// shape. Parameters decay to zero.
    pub fn new(
        positions: &'a Positions,
        shape: Shape,
        method: Method,
        threads: usize,
        state: State,
    ) -> Self {
        let batch = method.batch.clamp(1, positions.count().max(1));
        let portion = batch.div_ceil(PORTIONS).max(LEAST_PORTION);
        let new_portion =
            || Portion { gradient: Values::zeros(shape.length()), squared_errors: 0.0 };
        let portions = (0..batch.div_ceil(portion)).map(|_| new_portion()).collect();
        let threads = threads.max(1);
        let workers = (0..threads).map(|_| Worker::new(shape)).collect();
        let method = Method { batch, ..method };
        let unfolded = (shape.king_buckets > 1).then(|| shape.unfold(&state.values));
        Self {
            positions,
            shape,
            method,
            threads,
            state,
            portion,
            portions,
            workers,
            unfolded,
            shared_gradient: Values::zeros(shape.trained_length() - shape.length()),
            decay_to: Values::zeros(shape.trained_length()),
        }
    }

    /// Lets the parameters decay to these instead of zero.
    pub fn decay_to(&mut self, values: Values) {
        self.decay_to = values;
    }

    /// The parameters of the network so far.
    pub fn values(&self) -> Values {
        let State { values, mean, averaged, .. } = &self.state;
        let trained = if *averaged > 0 { mean } else { values };
        if self.unfolded.is_some() { self.shape.unfold(trained) } else { trained.clone() }
    }

    pub fn total_steps(&self) -> u64 {
        (self.positions.count().div_ceil(self.method.batch) * self.method.epochs) as u64
    }

    /// One pass over the positions in an order of its own, which depends on the seed and the
    /// number of the epoch only; `validate` gives the error on the validation of the parameters
    /// that came of it, `report` hears of every step.
    pub fn run_epoch(
        &mut self,
        validate: impl Fn(&[f32]) -> f64,
        mut report: impl FnMut(Step),
    ) -> Result<()> {
        let seed = self.method.seed.wrapping_add(self.state.epochs() as u64);
        let (mut squared_errors, mut done) = (0.0, 0);
        self.positions.for_each_batch(seed, self.method.batch, |batch| {
            squared_errors += self.gradient(batch);
            done += batch.order.len();
            self.descend(batch.order.len());
            report(Step { steps: self.state.steps, error: squared_errors / done as f64 });
        })?;
        let error = squared_errors / done.max(1) as f64;
        self.state.errors.push([error, validate(&self.values())]);
        Ok(())
    }

    /// Sets the gradients of the portions of a batch; returns the sum of the squared errors.
    fn gradient(&mut self, batch: Batch<'_>) -> f64 {
        let Batch { records, order } = batch;
        let count = order.len().div_ceil(self.portion);
        let work = Mutex::new(order.chunks(self.portion).zip(&mut self.portions));
        let values = self.unfolded.as_ref().unwrap_or(&self.state.values);
        let lambda = self.method.lambda;
        thread::scope(|scope| {
            for worker in self.workers.iter_mut().take(count) {
                let work = &work;
                scope.spawn(move || {
                    loop {
                        let next = work.lock().next();
                        let Some((indexes, portion)) = next else { break };
                        portion.gradient.fill(0.0);
                        portion.squared_errors = 0.0;
                        for indexes in indexes.chunks(POSITIONS) {
                            worker.records.clear();
                            worker.records.extend(indexes.iter().map(|&i| records[i as usize]));
                            worker.add_gradient(values, lambda, portion);
                        }
                    }
                });
            }
        });
        self.portions[..count].iter().map(|portion| portion.squared_errors).sum()
    }

    /// One step against the mean of the gradients of a batch of `positions` positions.
    fn descend(&mut self, positions: usize) {
        let rate = self.method.rate_of(self.state.steps, self.total_steps());
        self.state.steps += 1;
        let optimizer = AdamW { decay: self.method.decay, epsilon: EPSILON, bound: MAX_PARAMETER };
        let adam_step = optimizer.step(self.state.steps, rate);
        let (first, others) = self.portions[..positions.div_ceil(self.portion)]
            .split_first_mut()
            .expect("invariant: a batch has a position");
        let State { values, momentum, variance, .. } = &mut self.state;
        let [values, momentum, variance] =
            [values, momentum, variance].map(|list| list.split_at_mut(self.shape.length()));
        let decay_to = self.decay_to.split_at(self.shape.length());
        let gradient = Gradient { first: &mut first.gradient, others, positions };
        let lists = [values.0, momentum.0, variance.0];
        gradient.descend(self.threads, adam_step, lists, decay_to.0);
        if self.unfolded.is_some() {
            self.shape.share_gradient(&mut first.gradient, &mut self.shared_gradient);
            let gradient = Gradient { first: &mut self.shared_gradient, others: &[], positions };
            let lists = [values.1, momentum.1, variance.1];
            gradient.descend(self.threads, adam_step, lists, decay_to.1);
            self.unfolded = Some(self.shape.unfold(&self.state.values));
        }
        if self.method.in_tail(self.state.steps - 1, self.total_steps()) {
            self.state.average();
        }
    }
}

/// The gradient of a batch, in parts.
struct Gradient<'a> {
    /// One part; the sum of all in the end.
    first: &'a mut [f32],
    others: &'a [Portion],
    positions: usize,
}

impl Gradient<'_> {
    /// Moves parameters against the mean of the gradients. The lists are the parameters, their
    /// momentum and their variance.
    fn descend(
        self,
        threads: usize,
        adam_step: adamw::Step,
        lists: [&mut [f32]; 3],
        decay_to: &[f32],
    ) {
        let [values, momentum, variance] = lists;
        let Self { first, others, positions } = self;
        // Every thread has a part of the parameters.
        let size = values.len().div_ceil(threads).next_multiple_of(LANES);
        let parts = first.chunks_mut(size).zip(values.chunks_mut(size));
        let moments = momentum.chunks_mut(size).zip(variance.chunks_mut(size));
        let parts = parts.zip(moments).zip(decay_to.chunks(size));
        thread::scope(|scope| {
            for (part, (((sums, values), moments), decay_to)) in parts.enumerate() {
                scope.spawn(move || {
                    for other in others {
                        add(sums, &other.gradient[part * size..][..sums.len()]);
                    }
                    let moments = moments.0.iter_mut().zip(moments.1);
                    let values = values.iter_mut().zip(moments).zip(decay_to);
                    for (sum, ((value, (momentum, variance)), &decay_to)) in sums.iter().zip(values)
                    {
                        let parameter = Parameter { value, momentum, variance, decay_to };
                        adam_step.update(parameter, sum / positions as f32);
                    }
                });
            }
        });
    }
}

impl Worker {
    fn new(shape: Shape) -> Self {
        Self { pass: Pass::new(shape), records: Vec::new(), slopes: Vec::new() }
    }

    /// Adds the squared errors of its positions, and their gradient.
    fn add_gradient(&mut self, values: &[f32], lambda: f32, portion: &mut Portion) {
        let outputs = self.pass.forward(values, &self.records);
        self.slopes.clear();
        for (record, &output) in self.records.iter().zip(outputs) {
            let prediction = expected(output, 1.0);
            let error = prediction - target(record, lambda);
            portion.squared_errors += f64::from(error * error);
            self.slopes.push(2.0 * error * prediction * (1.0 - prediction));
        }
        self.pass.backward(values, &self.slopes, &mut portion.gradient);
    }
}
