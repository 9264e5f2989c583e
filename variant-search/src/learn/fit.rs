//! Logistic regression of weights.

use std::sync::Arc;

use tamarin_variant::Game;

use super::samples::{Data, K, Samples, entry, points};
use crate::evaluate::learned::{Family, Layout, Learned, MOST_WEIGHT, Shape, Weight};

/// Positions of a game are alike: each counts as this part of an independent one. Source: held-out
/// errors of refits of Clobberers (docs/results/notes.md, "Learning from more games").
const INDEPENDENCE: f32 = 0.2;
const EPOCHS: usize = 20;
const BATCH: usize = 2048;
/// Steps at the beginning and at the end, in centipawns.
const RATE: (f32, f32) = (4.0, 0.2);
/// Decay of the means of the gradient and of its square. Source: Kingma and Ba, "Adam", 2015.
const DECAY: (f32, f32) = (0.9, 0.999);

/// Weights of the middlegame and the endgame, one after the other for each term.
type Point = Vec<[f32; 2]>;

/// Weights that explain the games best, beginning with those of an evaluator whose terms they are.
pub(super) fn fit(game: &Arc<Game>, from: &Learned, prior: &[Weight], data: &Data) -> Learned {
    let layout = &from.shape.layout;
    let float = |weight: &Weight| [weight.middlegame as f32, weight.endgame as f32];
    let prior: Point = prior.iter().map(float).collect();
    let spread = spreads(layout);
    let mut optimizer = Adam::new(from.weights.iter().map(float).collect());
    let count = data.fit.len();
    let mut order: Vec<u32> = (0..count as u32).collect();
    let steps = (EPOCHS * count.div_ceil(BATCH)).max(1);
    let mut step = 0;
    let mut gradient = vec![[0.0; 2]; layout.len];
    for epoch in 0..EPOCHS {
        shuffle(&mut order, epoch as u64);
        for batch in order.chunks(BATCH) {
            gradient.iter_mut().for_each(|slope| *slope = [0.0; 2]);
            for &at in batch {
                add_gradient(&data.fit, at as usize, &optimizer.point, &mut gradient);
            }
            let scale = INDEPENDENCE * count as f32 / batch.len() as f32;
            for (term, slope) in gradient.iter_mut().enumerate() {
                for half in 0..2 {
                    let off = optimizer.point[term][half] - prior[term][half];
                    slope[half] = slope[half] * scale + off / (spread[term] * spread[term]);
                }
            }
            let done = step as f32 / steps as f32;
            optimizer.step(&gradient, RATE.0 + (RATE.1 - RATE.0) * done);
            step += 1;
        }
    }
    let mut point = optimizer.point;
    center(&from.shape, &data.seen, &mut point);
    let whole = |value: f32| (value.round() as i32).clamp(-MOST_WEIGHT, MOST_WEIGHT);
    let weights = point
        .iter()
        .map(|&[middlegame, endgame]| Weight {
            middlegame: whole(middlegame),
            endgame: whole(endgame),
        })
        .collect();
    Learned::new(game, from.shape.clone(), weights, String::new())
}

/// The mean squared error of expected points on some positions; `None` without any.
pub(super) fn error(evaluator: &Learned, samples: &Samples) -> Option<f64> {
    if samples.len() == 0 {
        return None;
    }
    let float = |weight: &Weight| [weight.middlegame as f32, weight.endgame as f32];
    let point: Point = evaluator.weights.iter().map(float).collect();
    let squares = (0..samples.len()).map(|at| {
        let (entries, sample) = samples.of(at);
        let off = points(score(entries, sample.phase, &point)) - sample.target;
        f64::from(off * off)
    });
    Some(squares.sum::<f64>() / samples.len() as f64)
}

#[inline]
fn score(entries: &[u32], phase: f32, point: &[[f32; 2]]) -> f32 {
    let (mut middlegame, mut endgame) = (0.0, 0.0);
    for &bits in entries {
        let (term, count) = entry(bits);
        middlegame += count * point[term][0];
        endgame += count * point[term][1];
    }
    middlegame * phase + endgame * (1.0 - phase)
}

/// Adds the slope of the cross entropy of one position.
#[inline]
fn add_gradient(samples: &Samples, at: usize, point: &[[f32; 2]], gradient: &mut [[f32; 2]]) {
    let (entries, sample) = samples.of(at);
    let off = K * (points(score(entries, sample.phase, point)) - sample.target);
    let (middlegame, endgame) = (off * sample.phase, off * (1.0 - sample.phase));
    for &bits in entries {
        let (term, count) = entry(bits);
        gradient[term][0] += count * middlegame;
        gradient[term][1] += count * endgame;
    }
}

/// By term: how far from the prior it may be expected.
fn spreads(layout: &Layout) -> Vec<f32> {
    let mut spread = vec![1.0; layout.len];
    for block in &layout.blocks {
        spread[block.first..block.first + block.len].fill(block.family.spread());
    }
    spread
}

/// Moves what rows, columns, squares and mobility have in common into the values of pieces, so that
/// these are what the pieces are worth in the mean of all positions.
fn center(shape: &Shape, seen: &[[f64; 2]], point: &mut Point) {
    let common = [Family::Rows, Family::Columns, Family::Squares, Family::Mobility];
    for block in &shape.layout.blocks {
        let (Some(kind), true) = (block.kind, common.contains(&block.family)) else { continue };
        let range = block.first..block.first + block.len;
        let value = shape.layout.kinds[usize::from(kind)].value;
        for half in 0..2 {
            let weight: f64 = seen[range.clone()].iter().map(|seen| seen[half]).sum();
            if weight <= 0.0 {
                continue;
            }
            let sum: f64 =
                range.clone().map(|term| seen[term][half] * f64::from(point[term][half])).sum();
            let mean = (sum / weight) as f32;
            range.clone().for_each(|term| point[term][half] -= mean);
            point[value][half] += mean;
        }
    }
}

/// Puts numbers into an order that looks random and is always the same.
fn shuffle(order: &mut [u32], seed: u64) {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    for last in (1..order.len()).rev() {
        order.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
    }
}

/// Gradient descent whose steps are as long as they are certain.
struct Adam {
    point: Point,
    mean: Point,
    square: Point,
    steps: i32,
}

impl Adam {
    fn new(point: Point) -> Self {
        let zero = vec![[0.0; 2]; point.len()];
        Self { point, mean: zero.clone(), square: zero, steps: 0 }
    }

    fn step(&mut self, gradient: &[[f32; 2]], rate: f32) {
        self.steps += 1;
        let unbiased = (1.0 - DECAY.0.powi(self.steps), 1.0 - DECAY.1.powi(self.steps));
        for (term, slope) in gradient.iter().enumerate() {
            for (half, &slope) in slope.iter().enumerate() {
                let mean = &mut self.mean[term][half];
                *mean += (1.0 - DECAY.0) * (slope - *mean);
                let square = &mut self.square[term][half];
                *square += (1.0 - DECAY.1) * (slope * slope - *square);
                let length = (*square / unbiased.1).sqrt() + 1e-8;
                self.point[term][half] -= rate * (*mean / unbiased.0) / length;
            }
        }
    }
}
