//! The sink of the terms for the `eval` table and the tuner: keeps how often each weight
//! counts.

use core::ops::Range;

use tamarin_movegen::{PieceKind, Square};

use crate::perspective::KingAreas;
use crate::rows::{Family, WeightIndex};
use crate::sink::TermSink;
use crate::tapered::S;
use crate::terms::{king_danger, psqt};
use crate::weights::{COMPLEXITY, COUNT, KING_DANGER, WEIGHTS, is_linear, position};

/// How often each weight counts for one side.
#[derive(Clone)]
pub(crate) struct Trace {
    counts: [i16; COUNT],
}

impl Trace {
    /// Nothing counted.
    pub(crate) const fn new() -> Self {
        Self { counts: [0; COUNT] }
    }

    /// How often each weight counts, in the order of the vector of weights.
    #[cfg(feature = "tune")]
    pub(crate) const fn counts(&self) -> &[i16; COUNT] {
        &self.counts
    }

    /// The score of the counted weights in `range` of the vector, king danger and complexity left
    /// out.
    pub(crate) fn linear(&self, range: Range<usize>) -> S {
        self.sum(range.filter(|&index| is_linear(index)))
    }

    /// The score of the king danger.
    pub(crate) fn king_danger(&self) -> S {
        king_danger::danger_score(self.sum(KING_DANGER))
    }

    /// The counts of the weights in `range` times these weights: a score, or danger units in the
    /// king danger.
    pub(crate) fn weighted(&self, range: Range<usize>) -> S {
        self.sum(range)
    }

    /// The complexity, which White's trace has for the whole board.
    pub(crate) fn complexity(&self) -> S {
        self.sum(COMPLEXITY)
    }

    fn sum(&self, indices: impl Iterator<Item = usize>) -> S {
        indices.map(|index| WEIGHTS[index] * i32::from(self.counts[index])).sum()
    }
}

impl TermSink for Trace {
    fn add(&mut self, weight: impl Into<WeightIndex>, count: i32) {
        let weight = weight.into();
        debug_assert!(weight.family != Family::KingDanger);
        self.counts[position(weight)] += count as i16;
    }

    fn add_danger(&mut self, weight: impl Into<WeightIndex>, count: i32) {
        let weight = weight.into();
        debug_assert!(weight.family == Family::KingDanger);
        self.counts[position(weight)] += count as i16;
    }

    fn add_piece(&mut self, areas: KingAreas, kind: PieceKind, square: Square) {
        for weight in psqt::weights_of(areas, kind, square).into_iter().flatten() {
            self.add(weight, 1);
        }
    }
}
