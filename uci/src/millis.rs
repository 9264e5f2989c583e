//! Time as the protocol writes it.

use core::fmt;
use core::time::Duration;

/// A span of time in milliseconds. Clocks may be negative: some clients report an overrun so.
/// All arithmetic saturates.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Millis(pub i64);

impl Millis {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// Whole milliseconds of `duration`, rounded down.
    #[must_use]
    pub fn from_duration(duration: Duration) -> Self {
        Self(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
    }

    /// The span as a [`Duration`]; negative becomes zero.
    #[must_use]
    pub fn to_duration(self) -> Duration {
        Duration::from_millis(u64::try_from(self.0).unwrap_or(0))
    }

    /// The sum, saturating.
    #[must_use]
    pub const fn saturating_add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, saturating.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The multiple, saturating.
    #[must_use]
    pub const fn saturating_mul(self, factor: i64) -> Self {
        Self(self.0.saturating_mul(factor))
    }
}

impl fmt::Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Millis};

    #[test]
    fn saturates() {
        let top = Millis(i64::MAX);
        assert_eq!(top.saturating_add(Millis(1)), top);
        assert_eq!(Millis(-2).saturating_sub(top), Millis(i64::MIN));
        assert_eq!(top.saturating_mul(-2), Millis(i64::MIN));
        assert_eq!(Millis::from_duration(Duration::MAX), top);
        assert_eq!(Millis::from_duration(Duration::from_micros(1999)), Millis(1));
        assert_eq!(Millis(-5).to_duration(), Duration::ZERO);
        assert_eq!(Millis(5).to_duration(), Duration::from_millis(5));
    }
}
