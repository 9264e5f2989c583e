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
    #[must_use]
    pub const fn from_bits(bits: u8) -> Option<Self> {
        match bits & 3 {
            1 => Some(Self::Upper),
            2 => Some(Self::Lower),
            3 => Some(Self::Exact),
            _ => None,
        }
    }

    /// Returns `true` if the true value is at least the score, as of a lower and of an exact bound.
    #[inline]
    #[must_use]
    pub const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }

    /// Returns `true` if the true value is at most the score, as of an upper and of an exact bound.
    #[inline]
    #[must_use]
    pub const fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }
}

#[cfg(test)]
mod tests {
    use super::Bound;

    #[test]
    fn bits_give_the_bound_that_they_came_from() {
        for bound in [Bound::Upper, Bound::Lower, Bound::Exact] {
            assert_eq!(Bound::from_bits(bound as u8), Some(bound));
            // What else an entry packs beside it does not count.
            assert_eq!(Bound::from_bits(bound as u8 | 0xFC), Some(bound));
        }
        assert_eq!(Bound::from_bits(0xFC), None);
    }

    #[test]
    fn an_exact_bound_is_a_lower_and_an_upper_one() {
        let sides = |bound: Bound| (bound.is_lower(), bound.is_upper());
        assert_eq!(sides(Bound::Lower), (true, false));
        assert_eq!(sides(Bound::Upper), (false, true));
        assert_eq!(sides(Bound::Exact), (true, true));
    }
}
