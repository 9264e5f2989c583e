//! Many traced positions with what became of them.

use super::sparse::{Coefficient, Shape, SparseTrace, TraceView};
use crate::data::GameResult;

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

    /// The positions in the order they were added.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Returns `true` if there is no position.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// The trace of a position of this set.
    pub fn trace(&self, sample: &Sample) -> TraceView<'_> {
        TraceView::new(&self.coefficients[sample.first..], sample.shape)
    }
}
