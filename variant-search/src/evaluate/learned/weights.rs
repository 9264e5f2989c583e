//! Weights of terms, and sums of them.

use tamarin_variant::Color;

use super::visit::Sink;

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
