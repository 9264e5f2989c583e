//! Logistic regression of weights.

use std::sync::Arc;

use tamarin_variant::{Color, Game, Move, Position};

use super::games::{Ending, Record};
use crate::evaluate::learned::{Family, Layout, Learned, MOST_WEIGHT, Shape, Sink, Weight};

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

/// The steepness of the curve from scores to points: the unit of the standard engine.
pub(super) const K: f32 = 0.005;
/// Positions that are further decided teach little.
const MOST_SCORE: i16 = 3000;
/// One game in this number is held out of the fit.
const HELD_OUT: usize = 16;
/// About the greatest number of samples; of more each second, third and so on is taken.
const MOST_SAMPLES: usize = 700_000;

/// Positions as terms. Counts are White's less Black's.
#[derive(Default)]
pub(super) struct Samples {
    /// Terms and counts, one position after the other: the number of the term times 256 plus the
    /// count, an `i8`.
    pub(super) entries: Vec<u32>,
    /// By position: where its entries end, its phase and White's expected points.
    pub(super) positions: Vec<Sample>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    pub(super) end: usize,
    pub(super) phase: f32,
    pub(super) target: f32,
}

impl Samples {
    /// Calls `found` with the entries and the rest of each position.
    #[inline]
    pub(super) fn of(&self, at: usize) -> (&[u32], Sample) {
        let sample = self.positions[at];
        let start = at.checked_sub(1).map_or(0, |before| self.positions[before].end);
        (&self.entries[start..sample.end], sample)
    }

    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }
}

/// The term and the count of an entry.
#[inline]
pub(super) fn entry(bits: u32) -> (usize, f32) {
    ((bits >> 8) as usize, f32::from(bits as u8 as i8))
}

/// White's expected points at a score.
pub(super) fn points(score: f32) -> f32 {
    1.0 / (1.0 + (-K * score).exp())
}

/// What is learned from, and what is held out to evaluator it by.
pub(super) struct Data {
    pub(super) fit: Samples,
    pub(super) held_out: Samples,
    /// By term: how often it was there, in the middlegame and in the endgame.
    pub(super) seen: Vec<[f64; 2]>,
}

/// The quiet positions of some games. `share` of the target is the result of the game, the rest
/// what the search expected. The phase of positions is that of `evaluator`, whose terms they are.
pub(super) fn collect(game: &Arc<Game>, evaluator: &Learned, games: &[Record], share: f32) -> Data {
    let all: usize = games.iter().map(|record| record.scores.len()).sum();
    let stride = all.div_ceil(MOST_SAMPLES).max(1);
    let mut trace = Trace::new(&evaluator.shape);
    let mut data = Data { fit: Samples::default(), held_out: Samples::default(), seen: Vec::new() };
    for (number, record) in games.iter().enumerate() {
        let samples =
            if number % HELD_OUT == HELD_OUT - 1 { &mut data.held_out } else { &mut data.fit };
        let mut counted = 0;
        // A game without such moves was refused when it was read.
        let _ = record.replay(game, |ply, position, m| {
            let Some(&score) = ply.checked_sub(record.opening).and_then(|i| record.scores.get(i))
            else {
                return;
            };
            if score.abs() > MOST_SCORE || position.in_check() || !is_quiet(position, m) {
                return;
            }
            counted += 1;
            if counted % stride == 0 {
                let expected = points(score.into());
                let target = share * result(record) + (1.0 - share) * expected;
                trace.add_position(evaluator, position, target, samples);
            }
        });
    }
    data.seen = trace.seen;
    data
}

/// White's points. What an undecided game would have come to, its last score shows best.
fn result(record: &Record) -> f32 {
    match record.ending {
        Ending::Undecided => points(record.scores.last().copied().unwrap_or(0).into()),
        _ => record.points() as f32,
    }
}

/// Whether a move neither captures nor promotes. Pieces that appear elsewhere are no reason to leave
/// a position out: there are games in which every move makes one.
fn is_quiet(position: &Position, m: Move) -> bool {
    let mover = position.mover(m).map(|piece| piece.kind);
    let mut quiet = !position.is_capture(m);
    position.for_each_created(m, |square, kind| quiet &= square != m.to || Some(kind) == mover);
    quiet
}

/// Counts the terms of one position.
struct Trace<'a> {
    shape: &'a Shape,
    counts: Vec<i32>,
    touched: Vec<usize>,
    seen: Vec<[f64; 2]>,
    phase: f32,
}

impl Sink for Trace<'_> {
    fn add(&mut self, term: usize, color: Color, count: i32) {
        if self.counts[term] == 0 {
            self.touched.push(term);
        }
        self.counts[term] += if color == Color::White { count } else { -count };
        let [middlegame, endgame] = &mut self.seen[term];
        *middlegame += f64::from(count) * f64::from(self.phase);
        *endgame += f64::from(count) * f64::from(1.0 - self.phase);
    }
}

impl<'a> Trace<'a> {
    fn new(shape: &'a Shape) -> Self {
        let len = shape.layout.len;
        Self {
            shape,
            counts: vec![0; len],
            touched: Vec::new(),
            seen: vec![[0.0; 2]; len],
            phase: 0.0,
        }
    }

    fn add_position(
        &mut self,
        evaluator: &Learned,
        position: &Position,
        target: f32,
        samples: &mut Samples,
    ) {
        let shape = self.shape;
        self.phase = evaluator.phase(evaluator.sum(position));
        shape.visit_pieces(position, self);
        shape.visit(position, self);
        // A term that was counted back to zero may have been touched several times.
        self.touched.sort_unstable();
        for term in self.touched.drain(..) {
            let count = std::mem::take(&mut self.counts[term]).clamp(-127, 127);
            if count != 0 {
                samples.entries.push((term as u32) << 8 | u32::from(count as i8 as u8));
            }
        }
        let end = samples.entries.len();
        samples.positions.push(Sample { end, phase: self.phase, target });
    }
}
