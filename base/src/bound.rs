//! Bounds of scores.

/// How a score relates to the true value of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most the score.
    Upper = 1,
    /// The true value is at least the score.
    Lower = 2,
    /// The score is the true value, as far as the search saw.
    Exact = 3,
}

impl Bound {
    /// The bound whose number is in the two lowest bits; `None` if they are zero.
    #[inline]
    pub const fn from_bits(bits: u8) -> Option<Self> {
        match bits & 3 {
            1 => Some(Self::Upper),
            2 => Some(Self::Lower),
            3 => Some(Self::Exact),
            _ => None,
        }
    }

    /// Returns `true` if the true value is at least the score, as of a lower and of an exact bound.
    pub const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }

    /// Returns `true` if the true value is at most the score, as of an upper and of an exact bound.
    pub const fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }
}
