//! The terms of the learned evaluator: which there are, what they are called, where their weights lie.

use tamarin_variant::{Color, Game};

use super::geometry::Geometry;
use super::visit::Sink;

/// Counts of attackers and of weak squares from here on are one.
pub(crate) const MOST_COUNT: usize = 7;
/// The greatest number of buckets of mobility.
const MOST_BUCKETS: usize = 9;
/// Distances to promotion from here on are one.
pub(crate) const MOST_DISTANCE: usize = 7;
/// Ways to stand as a passed piece: free, attacked, blocked.
pub(crate) const RUNS: usize = 3;

/// A kind of term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Family {
    /// A piece of the kind.
    Value,
    /// Each piece of the kind in hand.
    Hand,
    /// By the row that it stands on, from its owner's side.
    Rows,
    /// By the column; where the kind moves alike on both wings, from the nearer edge.
    Columns,
    /// By the square: what rows and columns do not tell.
    Squares,
    /// By the flags that it began with and still has.
    Flags,
    /// By how many squares it can go to that no cheaper piece attacks, in buckets.
    Mobility,
    /// Each square of the zone around the other side's royal piece that it attacks.
    Zone,
    /// It stands in the zone of its own royal piece.
    Shelter,
    /// Each copy after the first.
    Pair,
    /// It is attacked and not defended: its owner is to move, or the opponent.
    Hanging,
    /// A cheaper piece attacks it: its owner is to move, or the opponent.
    Harried,
    /// A piece of the weakest class defends it.
    Guarded,
    /// It is passed: by the moves to promotion, each for a free, an attacked and a blocked way.
    Passed,
    /// A piece of the same kind and side stands on its way to promotion.
    Doubled,
    /// By how many pieces attack the zone of a side's royal piece.
    Attackers,
    /// By how many squares of the zone are attacked and defended by royal pieces only.
    Weak,
    /// The side to move.
    Tempo,
}

impl Family {
    /// The word for it in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Hand => "hand",
            Self::Rows => "rows",
            Self::Columns => "columns",
            Self::Squares => "squares",
            Self::Flags => "flags",
            Self::Mobility => "mobility",
            Self::Zone => "zone",
            Self::Shelter => "shelter",
            Self::Pair => "pair",
            Self::Hanging => "hanging",
            Self::Harried => "harried",
            Self::Guarded => "guarded",
            Self::Passed => "passed",
            Self::Doubled => "doubled",
            Self::Attackers => "attackers",
            Self::Weak => "weak",
            Self::Tempo => "tempo",
        }
    }

    /// How far a weight of the family is from zero before anything is known of the game, in
    /// centipawns: the standard deviation that fits assume.
    pub(crate) fn spread(self) -> f32 {
        match self {
            Self::Value | Self::Hand => 100.0,
            Self::Hanging | Self::Harried | Self::Passed => 30.0,
            Self::Attackers | Self::Weak | Self::Pair | Self::Flags => 15.0,
            Self::Mobility | Self::Rows => 12.0,
            Self::Columns | Self::Shelter | Self::Guarded | Self::Doubled | Self::Tempo => 8.0,
            Self::Squares | Self::Zone => 5.0,
        }
    }
}

/// Neighboring weights of one family, of one kind of piece or of none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Block {
    pub(crate) family: Family,
    pub(crate) kind: Option<u8>,
    pub(crate) first: usize,
    pub(crate) len: usize,
}

/// The terms of one kind of piece: the first weight of each family.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct KindTerms {
    pub(crate) value: usize,
    pub(crate) hand: usize,
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) squares: usize,
    pub(crate) flags: usize,
    pub(crate) mobility: usize,
    /// Buckets of mobility, and the moves that the last one stands for.
    pub(crate) buckets: usize,
    pub(crate) most: usize,
    pub(crate) zone: usize,
    pub(crate) shelter: usize,
    pub(crate) pair: usize,
    pub(crate) hanging: usize,
    pub(crate) harried: usize,
    pub(crate) guarded: usize,
    pub(crate) passed: usize,
    pub(crate) doubled: usize,
}

impl KindTerms {
    /// The bucket of a number of moves.
    #[inline]
    pub(crate) fn bucket(&self, moves: usize) -> usize {
        if self.most < self.buckets {
            moves.min(self.buckets - 1)
        } else {
            (moves * (self.buckets - 1)).div_ceil(self.most).min(self.buckets - 1)
        }
    }
}

/// Where the weights of a game's terms lie.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) kinds: Vec<KindTerms>,
    pub(crate) attackers: usize,
    pub(crate) weak: usize,
    pub(crate) tempo: usize,
    pub(crate) blocks: Vec<Block>,
    pub(crate) len: usize,
}

impl Layout {
    pub(crate) fn new(game: &Game, geometry: &Geometry) -> Self {
        let mut blocks = Blocks { blocks: Vec::new(), len: 0 };
        let (rows, columns) = (usize::from(game.rows()), usize::from(game.columns()));
        let kinds = (0..game.piece_count() as u8).map(|kind| {
            let folded = geometry.folded[usize::from(kind)];
            let files = if folded { columns.div_ceil(2) } else { columns };
            let most = geometry.most[usize::from(kind)];
            let buckets = (most + 1).clamp(2, MOST_BUCKETS);
            let mut add = |family, len| blocks.add(family, Some(kind), len);
            KindTerms {
                value: add(Family::Value, 1),
                hand: add(Family::Hand, 1),
                rows: add(Family::Rows, rows),
                columns: add(Family::Columns, files),
                squares: add(Family::Squares, rows * files),
                flags: add(Family::Flags, 8),
                mobility: add(Family::Mobility, buckets),
                buckets,
                most,
                zone: add(Family::Zone, 1),
                shelter: add(Family::Shelter, 1),
                pair: add(Family::Pair, 1),
                hanging: add(Family::Hanging, 2),
                harried: add(Family::Harried, 2),
                guarded: add(Family::Guarded, 1),
                passed: add(Family::Passed, MOST_DISTANCE * RUNS),
                doubled: add(Family::Doubled, 1),
            }
        });
        let kinds = kinds.collect();
        Self {
            kinds,
            attackers: blocks.add(Family::Attackers, None, MOST_COUNT + 1),
            weak: blocks.add(Family::Weak, None, MOST_COUNT + 1),
            tempo: blocks.add(Family::Tempo, None, 1),
            len: blocks.len,
            blocks: blocks.blocks,
        }
    }
}

struct Blocks {
    blocks: Vec<Block>,
    len: usize,
}

impl Blocks {
    fn add(&mut self, family: Family, kind: Option<u8>, len: usize) -> usize {
        let first = self.len;
        self.blocks.push(Block { family, kind, first, len });
        self.len += len;
        first
    }
}

/// No weight is greater or smaller, in centipawns.
pub(crate) const MOST_WEIGHT: i32 = 30_000;

/// What a term counts with all pieces on the board, and with none.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Weight {
    /// In the middlegame, in centipawns.
    pub middlegame: i32,
    pub endgame: i32,
}

impl Weight {
    /// The same, no half farther from zero than that.
    pub(crate) fn within(self, most: i32) -> Self {
        Self {
            middlegame: self.middlegame.clamp(-most, most),
            endgame: self.endgame.clamp(-most, most),
        }
    }

    /// The same in both.
    pub(crate) fn both(value: i32) -> Self {
        Self { middlegame: value, endgame: value }
    }

    /// The mean of both.
    pub fn mean(self) -> i32 {
        i32::midpoint(self.middlegame, self.endgame)
    }

    pub(crate) fn times(self, count: i32) -> Self {
        Self { middlegame: self.middlegame * count, endgame: self.endgame * count }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            middlegame: self.middlegame + other.middlegame,
            endgame: self.endgame + other.endgame,
        }
    }
}

/// Adds up the weights of terms, White's less Black's.
pub(crate) struct ScoreSum<'a> {
    weights: &'a [Weight],
    pub(crate) sum: Weight,
}

impl<'a> ScoreSum<'a> {
    pub(crate) fn new(weights: &'a [Weight]) -> Self {
        Self { weights, sum: Weight::default() }
    }
}

impl Sink for ScoreSum<'_> {
    #[inline]
    fn add(&mut self, term: usize, color: Color, count: i32) {
        let signed = if color == Color::White { count } else { -count };
        self.sum = self.sum.plus(self.weights[term].times(signed));
    }
}

/// What pieces on squares add up to, in one number: 24 bits of the middlegame, 24 of the endgame
/// and 16 of the phase, which is not negative. Sums and differences of numbers are numbers of sums.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Packed(pub(crate) i64);

impl Packed {
    pub(crate) fn new(weight: Weight, phase: i32) -> Self {
        let middlegame = i64::from(weight.middlegame) << 40;
        Self(middlegame + (i64::from(weight.endgame) << 16) + i64::from(phase))
    }

    pub(crate) fn phase(self) -> i32 {
        (self.0 & 0xFFFF) as i32
    }

    pub(crate) fn weight(self) -> Weight {
        let scores = self.0.wrapping_sub(i64::from(self.phase())) >> 16;
        let endgame = (scores << 40) >> 40;
        Weight { middlegame: ((scores - endgame) >> 24) as i32, endgame: endgame as i32 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_numbers_add_up() {
        let values =
            [(0, 0, 0), (-1, 1, 1), (1, -1, 0), (30_000, -30_000, 400), (-4_000_000, 77, 3)];
        for (a, b, p) in values {
            for (c, d, q) in values {
                let of = |a, b, p| Packed::new(Weight { middlegame: a, endgame: b }, p);
                let sum = Packed(of(a, b, p).0 + of(c, d, q).0);
                let weight = Weight { middlegame: a + c, endgame: b + d };
                assert_eq!((sum.weight(), sum.phase()), (weight, p + q));
                let difference = Packed(sum.0 - of(a, b, p).0);
                assert_eq!(difference, of(c, d, q));
            }
        }
    }
}
