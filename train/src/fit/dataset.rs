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
