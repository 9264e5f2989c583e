//! Tapered evaluation: pairs of a middlegame and an endgame value, and the interpolation
//! between them by the game phase.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::params::game_phase::FULL as FULL_PHASE;
use crate::params::scale::FULL as FULL_SCALE;

/// A middlegame and an endgame value in engine units, packed into one register:
/// the endgame in the upper half, the middlegame in the lower.
///
/// Sums, differences and products by an integer act on both halves at once. They
/// are exact while both halves stay within an `i16`, as in every evaluation: nine queens, all
/// other pieces and all the terms together make some 24,000 units.
///
/// Source: the packing is common to most engines since Stockfish 1; see
/// <https://www.chessprogramming.org/Tapered_Eval>.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct S(i32);

/// Shorthand for [`S::new`], for tables of weights.
pub const fn s(middlegame: i32, endgame: i32) -> S {
    S::new(middlegame, endgame)
}

impl S {
    /// Nothing in both phases.
    pub const ZERO: Self = Self(0);

    /// The pair of these two values, each within an `i16`.
    pub const fn new(middlegame: i32, endgame: i32) -> Self {
        Self((endgame << 16).wrapping_add(middlegame))
    }

    /// The sum, for constants.
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// The middlegame half.
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame half.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // A negative lower half has borrowed one from the upper.
        self.0.wrapping_add(0x8000) >> 16
    }
}

/// Interpolates between the two halves: `phase` 24 counts the middlegame alone, 0 the endgame
/// alone, scaled by `scale` in 1/128.
///
/// Rounds towards zero in each step, so that negating the input negates the result.
#[inline]
pub(crate) const fn taper(score: S, phase: i32, scale: i32) -> i32 {
    let endgame = score.endgame() * scale / FULL_SCALE;
    (score.middlegame() * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

impl Add for S {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for S {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for S {
    type Output = Self;
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for S {
    type Output = Self;
    fn mul(self, factor: i32) -> Self {
        Self(self.0.wrapping_mul(factor))
    }
}

impl AddAssign for S {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for S {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for S {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Debug for S {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "s({}, {})", self.middlegame(), self.endgame())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn halves(score: S) -> (i32, i32) {
        (score.middlegame(), score.endgame())
    }

    proptest! {
        #[test]
        fn adds_and_subtracts_halves(
            a in -16_000..16_000, b in -16_000..16_000, c in -16_000..16_000, d in -16_000..16_000,
        ) {
            prop_assert_eq!(halves(s(a, b) + s(c, d)), (a + c, b + d));
            prop_assert_eq!(halves(s(a, b) - s(c, d)), (a - c, b - d));
        }

        #[test]
        fn negates_and_multiplies_halves(a in -320..=320, b in -320..=320, n in -100..=100) {
            prop_assert_eq!(halves(-s(a, b)), (-a, -b));
            prop_assert_eq!(halves(s(a, b) * n), (a * n, b * n));
        }

        #[test]
        fn taper_is_odd_and_stays_between(
            mg in -9_000..9_000, eg in -9_000..9_000, phase in 0..=FULL_PHASE, scale in 0..=128,
        ) {
            let tapered = taper(s(mg, eg), phase, scale);
            prop_assert_eq!(taper(-s(mg, eg), phase, scale), -tapered);
            let scaled = eg * scale / 128;
            prop_assert!((mg.min(scaled) - 1..=mg.max(scaled) + 1).contains(&tapered));
        }
    }
}
