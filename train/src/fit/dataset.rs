//! Many traced positions with what became of them.

use super::sparse::{Coefficient, Shape, SparseTrace, TraceView};

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// White won.
    WhiteWins,
    /// Drawn.
    Draw,
    /// Black won.
    BlackWins,
}

impl GameResult {
    /// White's points: 1, 0.5 or 0.
    #[must_use]
    pub const fn points(self) -> f32 {
        match self {
            Self::WhiteWins => 1.0,
            Self::Draw => 0.5,
            Self::BlackWins => 0.0,
        }
    }
}

/// A position of a [`DataSet`].
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Where its coefficients begin.
    first: usize,
    shape: Shape,
    /// How its game ended.
    pub result: GameResult,
    /// The search's score in engine units, White's view.
    pub score: f32,
}

/// Positions for a fit. Takes about 450 bytes a position.
#[derive(Clone, Default, Debug)]
pub struct DataSet {
    samples: Vec<Sample>,
    coefficients: Vec<Coefficient>,
}

impl DataSet {
    /// Adds a position: its trace, the search's score of it in engine units (White's view),
    /// and the result of its game.
    pub fn push(&mut self, trace: &SparseTrace, score: f32, result: GameResult) {
        let first = self.coefficients.len();
        self.coefficients.extend_from_slice(&trace.coefficients);
        self.samples.push(Sample { first, shape: trace.shape, result, score });
    }

    /// Adds the positions of another set, after its own.
    pub fn append(&mut self, other: &Self) {
        let offset = self.coefficients.len();
        self.coefficients.extend_from_slice(&other.coefficients);
        let moved = |sample: &Sample| Sample { first: sample.first + offset, ..*sample };
        self.samples.extend(other.samples.iter().map(moved));
    }

    /// The first `count` positions, and the rest.
    ///
    /// # Panics
    /// If there are fewer than `count`.
    #[must_use]
    pub fn split_at(mut self, count: usize) -> (Self, Self) {
        let rest = self.samples.split_off(count);
        let start = rest.first().map_or(self.coefficients.len(), |sample| sample.first);
        let coefficients = self.coefficients.split_off(start);
        let moved = |sample: Sample| Sample { first: sample.first - start, ..sample };
        (self, Self { samples: rest.into_iter().map(moved).collect(), coefficients })
    }

    /// The positions in the order they were added.
    #[must_use]
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Is there no position?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The trace of a position of this set.
    #[must_use]
    pub fn trace(&self, sample: &Sample) -> TraceView<'_> {
        TraceView::new(&self.coefficients[sample.first..], sample.shape)
    }
}
