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

#[cfg(test)]
#[path = "../tests/support/mod.rs"]
#[allow(dead_code, reason = "only the positions are used here")]
mod support;

#[cfg(test)]
mod tests {
    use tamarin_movegen::{Color, Position};

    use super::support::STARTS;
    use crate::evaluate::trace;
    use crate::weights::{FAMILIES, range};

    /// What the terms of each family have counted in some games, as one number: the bench of the
    /// terms. A change of a term states the new one.
    #[test]
    fn every_family_counts_what_it_did() {
        let mut sums = [0_u32; FAMILIES.len()];
        for game in 0..64 {
            let mut position = Position::from_fen(STARTS[game % STARTS.len()]).unwrap();
            for ply in 0..60 {
                let traces = trace(position.board());
                for (sum, family) in sums.iter_mut().zip(&FAMILIES) {
                    for color in Color::ALL {
                        for &count in &traces[color].counts[range(family.family)] {
                            *sum = sum.wrapping_mul(31).wrapping_add_signed(count.into());
                        }
                    }
                }
                let mut moves = position.legal_moves().to_vec();
                moves.sort();
                let Some(&mv) = moves.get((31 * game + 17 * ply) % moves.len().max(1)) else {
                    break;
                };
                position.make(mv);
            }
        }
        let found: Vec<_> =
            FAMILIES.iter().zip(sums).map(|(family, sum)| (family.name, sum)).collect();
        let expected = [
            ("Material", 1_538_581_117),
            ("Piece squares", 180_838_240),
            ("Mobility", 3_015_576_359),
            ("Pawns", 2_913_794_852),
            ("Passed pawns", 3_013_970_087),
            ("Pieces", 872_126_924),
            ("King shelter", 1_190_193_897),
            ("King danger", 2_740_291_371),
            ("Threats", 3_569_822_217),
            ("Space", 1_137_970_100),
            ("Imbalance", 2_256_383_854),
            ("Complexity", 3_812_673_220),
        ];
        assert_eq!(found, expected);
    }
}
