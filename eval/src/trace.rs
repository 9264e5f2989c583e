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

#[cfg(test)]
mod tests {
    use tamarin_movegen::{Color, Position};

    use crate::evaluate::trace;
    use crate::weights::{FAMILIES, range};

    const STARTS: [&str; 6] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        "8/5pk1/6p1/2b1p3/1pP1P1P1/1P1B1K2/8/8 b - - 0 1",
        "q3k3/pp3n2/8/3Q4/8/5N2/PP6/4K2R w K - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];

    /// What the terms of each family have counted in some games, as one number: the bench of the
    /// terms. A change of a term states the new one.
    #[test]
    fn every_family_counts_what_it_did() {
        let mut sums = [0_u32; FAMILIES.len()];
        for game in 0..60 {
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
            ("Material", 3_426_568_136),
            ("Piece squares", 2_737_463_356),
            ("Mobility", 1_494_960_981),
            ("Pawns", 3_531_338_565),
            ("Passed pawns", 1_663_717_491),
            ("Pieces", 704_379_109),
            ("King shelter", 1_495_162_721),
            ("King danger", 353_407_603),
            ("Threats", 738_109_414),
            ("Space", 3_793_532_793),
            ("Imbalance", 2_418_471_405),
            ("Complexity", 2_135_504_161),
        ];
        assert_eq!(found, expected);
    }
}
