//! Spans of time.

use core::fmt;

/// A span of time in whole milliseconds. Arithmetic saturates, so no clock can wrap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Millis(u64);

impl Millis {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// So many milliseconds.
    pub const fn new(milliseconds: u64) -> Self {
        Self(milliseconds)
    }

    /// So many milliseconds; a negative number is no time.
    pub const fn from_signed(milliseconds: i64) -> Self {
        Self(if milliseconds < 0 { 0 } else { milliseconds as u64 })
    }

    /// The milliseconds.
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The sum, at most `u64::MAX` milliseconds.
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, zero if `other` is longer.
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The fraction `numerator / denominator` of it, rounded down.
    ///
    /// # Panics
    /// If `denominator` is zero.
    #[inline]
    pub const fn scaled(self, numerator: u64, denominator: u64) -> Self {
        let product = self.0 as u128 * numerator as u128 / denominator as u128;
        Self(if product > u64::MAX as u128 { u64::MAX } else { product as u64 })
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Millis;

    #[test]
    fn milliseconds_saturate() {
        assert_eq!(Millis::from_signed(-5), Millis::ZERO);
        assert_eq!(Millis::new(3).minus(Millis::new(5)), Millis::ZERO);
        assert_eq!(Millis::new(u64::MAX).plus(Millis::new(5)), Millis::new(u64::MAX));
        assert_eq!(Millis::new(u64::MAX).scaled(7, 2), Millis::new(u64::MAX));
        assert_eq!(Millis::new(100).scaled(3, 4), Millis::new(75));
    }
}
