//! Positions as the tuner sees them: which weights count in them and how often.

use core::ops::Range;

use tamarin_eval::tuning::{
    COMPLEXITY, COUNT, DANGER_DIVISORS, FULL_PHASE, FULL_SCALE, KING_DANGER, MAX_DANGER, NoTrace,
    Pair, PositionTrace, Sums,
};
use tamarin_movegen::{Color, Position};

use crate::data::GameResult;

/// A weight and how often it counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Coefficient {
    /// The weight's place in the vector.
    pub weight: u16,
    /// How often it counts: for White less for Black, or for one side in the king danger.
    pub count: i16,
}

/// What the evaluation makes of a position, with the weights left open. Owns its
/// coefficients; a data set holds many of them in one piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SparseTrace {
    pub coefficients: Vec<Coefficient>,
    pub shape: Shape,
}

/// Everything about a trace but its coefficients.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// How many coefficients are linear, White's king danger, Black's, and the complexity, in this
    /// order.
    lengths: [u8; 4],
    phase: u8,
    scales: [u8; 2],
}

impl SparseTrace {
    /// Traces a position.
    ///
    /// # Panics
    /// Never: fewer than 256 linear weights count in a position.
    pub fn new(position: &Position) -> Result<Self, NoTrace> {
        let trace = PositionTrace::new(position)?;
        let (white, black) = (trace.counts(Color::White), trace.counts(Color::Black));
        let is_linear = |index: &usize| !KING_DANGER.contains(index) && !COMPLEXITY.contains(index);
        let linear = (0..COUNT).filter(is_linear);
        let mut coefficients = Vec::new();
        let lengths = [
            push(&mut coefficients, linear.map(|index| (index, white[index] - black[index]))),
            push(&mut coefficients, counts(white, KING_DANGER)),
            push(&mut coefficients, counts(black, KING_DANGER)),
            push(&mut coefficients, counts(white, COMPLEXITY)),
        ]
        .map(|length| u8::try_from(length).expect("invariant: few weights count in a position"));
        let shape = Shape { lengths, phase: trace.phase(), scales: trace.scales() };
        Ok(Self { coefficients, shape })
    }

    pub fn view(&self) -> TraceView<'_> {
        TraceView::new(&self.coefficients, self.shape)
    }
}

/// The counts of a part of the vector of weights.
fn counts(counts: &[i16], range: Range<usize>) -> impl Iterator<Item = (usize, i16)> {
    range.map(|index| (index, counts[index]))
}

/// Keeps the counts that are not zero; returns how many.
fn push(list: &mut Vec<Coefficient>, counts: impl Iterator<Item = (usize, i16)>) -> usize {
    let before = list.len();
    list.extend(
        counts
            .filter(|&(_, count)| count != 0)
            .map(|(index, count)| Coefficient { weight: index as u16, count }),
    );
    list.len() - before
}

/// A borrowed trace, and what the evaluation computes from it.
#[derive(Clone, Copy, Debug)]
pub struct TraceView<'a> {
    /// Weights that count as they are, White less Black.
    pub linear: &'a [Coefficient],
    /// King danger: of White's attack, then of Black's.
    pub danger: [&'a [Coefficient]; 2],
    /// Complexity of the board, of which only the endgame half counts.
    pub complexity: &'a [Coefficient],
    /// The game phase: 24 counts the middlegame alone, 0 the endgame alone.
    pub phase: u8,
    /// The scale factor if the endgame score favors White, or Black; in 1/128.
    pub scales: [u8; 2],
}

pub struct Forward {
    /// In engine units, White's view.
    pub score: f32,
    /// How much the two halves of the sum weigh in the score.
    shares: Pair,
    complexity_share: f32,
    /// Danger units of both attacks, `[side][phase]`.
    danger: [Pair; 2],
}

impl<'a> TraceView<'a> {
    /// The trace of this shape whose coefficients begin the list.
    pub fn new(coefficients: &'a [Coefficient], shape: Shape) -> Self {
        let [linear, white, black, complexity] = shape.lengths.map(usize::from);
        let (linear, rest) = coefficients.split_at(linear);
        let (white, rest) = rest.split_at(white);
        let (black, rest) = rest.split_at(black);
        let (danger, complexity) = ([white, black], &rest[..complexity]);
        Self { linear, danger, complexity, phase: shape.phase, scales: shape.scales }
    }

    /// The evaluation with real-valued weights, in engine units, White's view. Nothing is
    /// rounded: with the weights of this build it is within 3 units of `evaluate` (which
    /// rounds in three steps), where that is not cut short by lazy evaluation.
    pub fn score(&self, weights: &[Pair]) -> f32 {
        self.forward(weights).score
    }

    /// The evaluation with these weights rounded to whole units, computed as `evaluate` does:
    /// exactly what a build with these weights says, in engine units, White's view, where it
    /// is not cut short by lazy evaluation.
    pub fn rounded_score(&self, weights: &[Pair]) -> i32 {
        let sum = |coefficients: &[Coefficient]| {
            let mut sum = [0; 2];
            for coefficient in coefficients {
                let weight = weights[usize::from(coefficient.weight)];
                for (sum, weight) in sum.iter_mut().zip(weight) {
                    *sum += i32::from(coefficient.count) * weight.round() as i32;
                }
            }
            sum
        };
        let danger = self.danger.map(sum);
        let sums = Sums { linear: sum(self.linear), danger, complexity: sum(self.complexity) };
        sums.score(self.phase, self.scales)
    }

    pub fn forward(&self, weights: &[Pair]) -> Forward {
        let linear = sum(self.linear, weights);
        let danger = self.danger.map(|attack| sum(attack, weights));
        let [white, black] = danger.map(real_danger_score);
        let total = [linear[0] + white[0] - black[0], linear[1] + white[1] - black[1]];
        let middlegame = f32::from(self.phase) / FULL_PHASE as f32;
        let scale = f32::from(self.scales[usize::from(total[1] < 0.0)]) / FULL_SCALE as f32;
        let shares = [middlegame, scale * (1.0 - middlegame)];
        let complexity = sum(self.complexity, weights)[1];
        let room = total[1].abs();
        // How often the endgame score counts, and the complexity.
        let (endgame, bonus) = match complexity {
            less if less <= -room => (0.0, 0.0),
            more if more >= room => (2.0, 0.0),
            _ => (1.0, total[1].signum()),
        };
        let complexity_share = bonus * shares[1];
        let shares = [shares[0], endgame * shares[1]];
        let score = total[0] * shares[0] + total[1] * shares[1] + complexity * complexity_share;
        Forward { score, shares, complexity_share, danger }
    }

    /// Adds `factor` times the gradient of the score by the weights.
    pub fn add_gradient(&self, forward: &Forward, factor: f32, gradient: &mut [Pair]) {
        let mut add = |coefficients: &[Coefficient], factors: Pair| {
            for coefficient in coefficients {
                let count = f32::from(coefficient.count);
                let slope = &mut gradient[usize::from(coefficient.weight)];
                slope[0] += count * factors[0];
                slope[1] += count * factors[1];
            }
        };
        let shares = forward.shares.map(|share| factor * share);
        add(self.linear, shares);
        add(self.complexity, [0.0, factor * forward.complexity_share]);
        for (side, sign) in [(0, 1.0), (1, -1.0)] {
            let slope = danger_slope(forward.danger[side]);
            add(self.danger[side], [sign * shares[0] * slope[0], sign * shares[1] * slope[1]]);
        }
    }
}

fn sum(coefficients: &[Coefficient], weights: &[Pair]) -> Pair {
    let mut sum = [0.0; 2];
    for coefficient in coefficients {
        let count = f32::from(coefficient.count);
        let weight = weights[usize::from(coefficient.weight)];
        sum[0] += count * weight[0];
        sum[1] += count * weight[1];
    }
    sum
}

/// The score of king danger, on real numbers.
fn real_danger_score(danger: Pair) -> Pair {
    let [middlegame, endgame] = danger.map(|half| half.clamp(0.0, MAX_DANGER as f32));
    let [middlegame_divisor, endgame_divisor] = DANGER_DIVISORS.map(|divisor| divisor as f32);
    [middlegame * middlegame / middlegame_divisor, endgame / endgame_divisor]
}

/// The slope of [`real_danger_score`].
fn danger_slope(danger: Pair) -> Pair {
    let inside = |half: f32| half > 0.0 && half < MAX_DANGER as f32;
    let [middlegame, endgame] = danger;
    let [middlegame_divisor, endgame_divisor] = DANGER_DIVISORS.map(|divisor| divisor as f32);
    [
        if inside(middlegame) { 2.0 * middlegame / middlegame_divisor } else { 0.0 },
        if inside(endgame) { 1.0 / endgame_divisor } else { 0.0 },
    ]
}

/// A position of a [`DataSet`].
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Where its coefficients begin.
    first: usize,
    shape: Shape,
    /// How its game ended.
    pub outcome: GameResult,
    /// The search's score in engine units, White's view.
    pub score: f32,
}

/// Positions for a fit. Takes about 330 bytes a position.
#[derive(Clone, Default, Debug)]
pub struct DataSet {
    samples: Vec<Sample>,
    coefficients: Vec<Coefficient>,
}

impl DataSet {
    /// Adds a position: its trace, the search's score of it in engine units (White's view),
    /// and how its game ended.
    pub fn push(&mut self, trace: &SparseTrace, score: f32, outcome: GameResult) {
        let first = self.coefficients.len();
        self.coefficients.extend_from_slice(&trace.coefficients);
        self.samples.push(Sample { first, shape: trace.shape, outcome, score });
    }

    /// Adds the positions of another set, after its own.
    pub fn append(&mut self, other: &Self) {
        let offset = self.coefficients.len();
        self.coefficients.extend_from_slice(&other.coefficients);
        let moved = |sample: &Sample| Sample { first: sample.first + offset, ..*sample };
        self.samples.extend(other.samples.iter().map(moved));
    }

    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    pub fn count(&self) -> usize {
        self.samples.len()
    }

    /// Bytes that it takes.
    pub fn memory(&self) -> usize {
        size_of_val(&*self.samples) + size_of_val(&*self.coefficients)
    }

    pub fn trace(&self, sample: &Sample) -> TraceView<'_> {
        TraceView::new(&self.coefficients[sample.first..], sample.shape)
    }
}
