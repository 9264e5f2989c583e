//! How deep a count may go.

use core::fmt;
use core::str::FromStr;

/// A number of plies to count, 1 to [`Depth::MAX`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Depth(u8);

impl Depth {
    /// The greatest depth, in plies.
    ///
    /// Far beyond what opening positions allow, but within reach of the cache in
    /// endgames of few pieces. Counts stop at `u64::MAX`: see [`crate::Outcome::nodes`].
    pub const MAX: u8 = 20;

    /// The depth of `plies` plies, if it is 1 to [`Depth::MAX`].
    pub const fn new(plies: u8) -> Option<Self> {
        if plies >= 1 && plies <= Self::MAX { Some(Self(plies)) } else { None }
    }

    /// The number of plies.
    pub const fn plies(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The text is not a depth.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is not a depth: a whole number from 1 to {} is needed", Depth::MAX)]
pub struct DepthError {
    text: String,
}

impl FromStr for Depth {
    type Err = DepthError;

    fn from_str(text: &str) -> Result<Self, DepthError> {
        text.parse().ok().and_then(Self::new).ok_or_else(|| DepthError { text: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_to_max_are_depths() {
        assert_eq!("1".parse(), Ok(Depth(1)));
        assert_eq!("20".parse(), Ok(Depth(Depth::MAX)));
        for text in ["0", "21", "99", "256", "-1", "", "abc", "1.5", "999999999999999999999"] {
            let error = text.parse::<Depth>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("{text:?} is not a depth")), "{error}");
        }
    }
}
