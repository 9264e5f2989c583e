//! The sink of the terms for play: adds up a score.

use tamarin_movegen::{PerKind, PerSquare, PieceKind, Square};

use crate::perspective::KingHalves;
use crate::rows::WeightIndex;
use crate::sink::TermSink;
use crate::tapered::S;
use crate::terms::{king_danger, psqt};
use crate::weights::{WEIGHTS, position};

/// Adds up the score of one side.
#[derive(Clone, Copy, Default)]
pub(crate) struct ScoreSum {
    score: S,
    danger: S,
}

impl ScoreSum {
    /// What this side has in total.
    #[inline]
    pub(crate) fn total(self) -> S {
        self.score + king_danger::danger_score(self.danger)
    }
}

impl TermSink for ScoreSum {
    #[inline]
    fn add(&mut self, weight: impl Into<WeightIndex>, count: i32) {
        self.score += WEIGHTS[position(weight.into())] * count;
    }

    #[inline]
    fn add_danger(&mut self, weight: impl Into<WeightIndex>, count: i32) {
        self.danger += WEIGHTS[position(weight.into())] * count;
    }

    #[inline]
    fn add_piece(&mut self, halves: KingHalves, kind: PieceKind, square: Square) {
        self.score += PIECE_SQUARES[halves as usize][kind][square];
    }
}

/// Material and both piece squares added up: `[king halves][kind][square]`.
static PIECE_SQUARES: [PerKind<PerSquare<S>>; KingHalves::ALL.len()] = {
    let mut tables = [PerKind([PerSquare([S::ZERO; 64]); 6]); KingHalves::ALL.len()];
    let mut table = 0;
    while table < KingHalves::ALL.len() {
        let mut kind = 0;
        while kind < 6 {
            let mut square = 0;
            while square < 64 {
                let halves = KingHalves::ALL[table];
                let weights = psqt::weights_of(halves, PieceKind::ALL[kind], Square::ALL[square]);
                tables[table].0[kind].0[square] = sum(weights);
                square += 1;
            }
            kind += 1;
        }
        table += 1;
    }
    tables
};

/// The sum of these weights.
const fn sum(weights: [Option<WeightIndex>; 3]) -> S {
    let mut sum = S::ZERO;
    let mut next = 0;
    while next < weights.len() {
        if let Some(weight) = weights[next] {
            sum = sum.plus(WEIGHTS[position(weight)]);
        }
        next += 1;
    }
    sum
}
