//! Gradient descent over all positions, epoch by epoch.

use std::thread;

use parking_lot::Mutex;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::measure::target;
use super::method::Method;
use super::model::{MAX_PARAMETER, Shape};
use super::pass::Pass;
use super::record::Record;
use super::values::{LANES, Values, add};
use crate::adamw::{AdamW, Parameter};
use crate::logistic::expected;

/// The usual one of Adam.
const EPSILON: f32 = 1e-8;

/// Positions of a micro-batch. The gradients of the micro-batches are added in their order, so
/// that the number of threads changes nothing.
const MICRO_BATCH: usize = 1_024;

/// All of a training that has to be kept to resume it later.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct State {
    pub values: Values,
    /// Where decay pulls the parameters.
    anchor: Values,
    /// Means of the gradients.
    momentum: Values,
    /// Means of the squared gradients.
    variance: Values,
    /// Steps taken.
    steps: u64,
    /// For each epoch done, the error on the targets: of the training, met on the way, and of the
    /// validation after it.
    pub errors: Vec<[f64; 2]>,
}

/// How far an epoch is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Steps taken in all epochs.
    pub steps: u64,
    /// The mean squared error on the targets in this epoch so far.
    pub error: f64,
}

/// A training under way.
pub(super) struct Training<'a> {
    records: &'a [Record],
    shape: Shape,
    method: Method,
    threads: usize,
    state: State,
    order: Vec<u32>,
    micro_batches: Vec<MicroBatch>,
}

/// A part of a batch, whose gradient one thread sums up.
struct MicroBatch {
    /// Copies: taken from all over the memory at once, they are not waited for one by one.
    records: Vec<Record>,
    gradient: Values,
    squared_errors: f64,
}

impl State {
    /// The start from random parameters, which decay to zero.
    pub fn new(values: Values) -> Self {
        let zeros = Values::zeros(values.len());
        let (anchor, momentum) = (zeros.clone(), zeros.clone());
        Self { values, anchor, momentum, variance: zeros, steps: 0, errors: Vec::new() }
    }

    /// The start from the parameters of an initial network, to which they decay: what the new
    /// positions say nothing about stays.
    pub fn with_anchor(values: Values) -> Self {
        Self { anchor: values.clone(), ..Self::new(values) }
    }

    /// Whether it is of a network of this shape.
    pub fn fits(&self, shape: Shape) -> bool {
        [&self.values, &self.anchor, &self.momentum, &self.variance]
            .iter()
            .all(|list| list.len() == shape.length())
    }

    /// Epochs done.
    pub fn epochs(&self) -> usize {
        self.errors.len()
    }
}

impl<'a> Training<'a> {
    /// A training with `threads` threads that begins or resumes with a state, which has to fit the
    /// shape.
    pub fn new(
        records: &'a [Record],
        shape: Shape,
        method: Method,
        threads: usize,
        state: State,
    ) -> Self {
        let micro_batch = || MicroBatch {
            records: Vec::with_capacity(MICRO_BATCH),
            gradient: Values::zeros(shape.length()),
            squared_errors: 0.0,
        };
        let batch = method.batch.clamp(1, records.len().max(1));
        let micro_batches = (0..batch.div_ceil(MICRO_BATCH)).map(|_| micro_batch()).collect();
        let method = Method { batch, ..method };
        Self { records, shape, method, threads, state, order: Vec::new(), micro_batches }
    }

    /// The training so far.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// Threads that share the work.
    pub const fn threads(&self) -> usize {
        self.threads
    }

    /// Steps of all epochs.
    pub const fn total_steps(&self) -> u64 {
        (self.records.len().div_ceil(self.method.batch) * self.method.epochs) as u64
    }

    /// Steps taken.
    pub const fn steps(&self) -> u64 {
        self.state.steps
    }

    /// One pass over the positions in an order of its own, which depends on the seed and the
    /// number of the epoch only; `validate` gives the error on the validation of the parameters
    /// that came of it, `report` hears of every step.
    pub fn run_epoch(&mut self, validate: impl Fn(&[f32]) -> f64, mut report: impl FnMut(Step)) {
        let seed = self.method.seed.wrapping_add(self.state.epochs() as u64);
        let mut order = core::mem::take(&mut self.order);
        order.clear();
        order.extend(0..self.records.len() as u32);
        order.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
        let (mut squared_errors, mut done) = (0.0, 0);
        for batch in order.chunks(self.method.batch) {
            squared_errors += self.gradient(batch);
            done += batch.len();
            self.descend(batch.len());
            report(Step { steps: self.state.steps, error: squared_errors / done as f64 });
        }
        self.order = order;
        let error = squared_errors / done.max(1) as f64;
        self.state.errors.push([error, validate(&self.state.values)]);
    }

    /// Sets the gradients of the micro-batches of a batch; returns the sum of the squared errors.
    fn gradient(&mut self, batch: &[u32]) -> f64 {
        let count = batch.len().div_ceil(MICRO_BATCH);
        let work = Mutex::new(batch.chunks(MICRO_BATCH).zip(&mut self.micro_batches));
        let (shape, records, values) = (self.shape, self.records, &self.state.values);
        let result_share = self.method.result_share;
        thread::scope(|scope| {
            for _ in 0..self.threads.clamp(1, count) {
                scope.spawn(|| {
                    let mut pass = Pass::new(shape);
                    loop {
                        let next = work.lock().next();
                        let Some((indexes, micro_batch)) = next else { break };
                        micro_batch.records.clear();
                        micro_batch.records.extend(indexes.iter().map(|&i| records[i as usize]));
                        micro_batch.accumulate_gradient(&mut pass, shape, values, result_share);
                    }
                });
            }
        });
        self.micro_batches[..count].iter().map(|micro_batch| micro_batch.squared_errors).sum()
    }

    /// One step against the mean of the gradients of a batch of so many positions.
    fn descend(&mut self, positions: usize) {
        let rate = self.method.rate_of(self.state.steps, self.total_steps());
        self.state.steps += 1;
        let optimizer = AdamW { decay: self.method.decay, epsilon: EPSILON, bound: MAX_PARAMETER };
        let step = optimizer.step(self.state.steps, rate);
        let (first, others) = self.micro_batches[..positions.div_ceil(MICRO_BATCH)]
            .split_first_mut()
            .expect("invariant: a batch has a position");
        let State { values, anchor, momentum, variance, .. } = &mut self.state;
        // Every thread has a part of the parameters.
        let size = values.len().div_ceil(self.threads.max(1)).next_multiple_of(LANES);
        let parts = first.gradient.chunks_mut(size).zip(values.chunks_mut(size));
        let moments = momentum.chunks_mut(size).zip(variance.chunks_mut(size));
        let (others, anchor) = (&*others, &*anchor);
        thread::scope(|scope| {
            for (part, ((sums, values), moments)) in parts.zip(moments).enumerate() {
                scope.spawn(move || {
                    for micro_batch in others {
                        add(sums, &micro_batch.gradient[part * size..][..sums.len()]);
                    }
                    let moments = moments.0.iter_mut().zip(moments.1);
                    let values = values.iter_mut().zip(&anchor[part * size..]).zip(moments);
                    for (sum, ((value, &anchor), (momentum, variance))) in sums.iter().zip(values) {
                        let parameter = Parameter { value, momentum, variance, anchor };
                        step.update(parameter, sum / positions as f32);
                    }
                });
            }
        });
    }
}

impl MicroBatch {
    /// Sets the gradient to that of the squared errors of the positions.
    fn accumulate_gradient(
        &mut self,
        pass: &mut Pass,
        shape: Shape,
        values: &[f32],
        result_share: f32,
    ) {
        self.gradient.fill(0.0);
        self.squared_errors = 0.0;
        let parts = shape.parts(values);
        let mut gradient = shape.parts_mut(&mut self.gradient);
        for record in &self.records {
            let prediction = expected(pass.forward(&parts, record), 1.0);
            let error = prediction - target(record, result_share);
            self.squared_errors += f64::from(error * error);
            let output_gradient = 2.0 * error * prediction * (1.0 - prediction);
            pass.backward(&parts, output_gradient, &mut gradient);
        }
    }
}
