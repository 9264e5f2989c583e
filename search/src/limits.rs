//! When a search has to end.

use core::fmt;

use tamarin_movegen::{Color, Move, PerColor};

/// A span of time in whole milliseconds. Arithmetic saturates, so no clock can wrap.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Millis(u64);

impl Millis {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// So many milliseconds.
    #[must_use]
    pub const fn new(milliseconds: u64) -> Self {
        Self(milliseconds)
    }

    /// So many milliseconds; a negative number is no time.
    #[must_use]
    pub const fn from_signed(milliseconds: i64) -> Self {
        Self(if milliseconds < 0 { 0 } else { milliseconds as u64 })
    }

    /// The milliseconds.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The sum, at most `u64::MAX` milliseconds.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// The difference, zero if `other` is longer.
    #[must_use]
    pub const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// The fraction `numerator / denominator` of it, rounded down.
    ///
    /// # Panics
    /// If `denominator` is zero.
    #[must_use]
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

/// A chess clock as one side sees it before its move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clock {
    /// What is left; zero if the flag has fallen already.
    pub left: Millis,
    /// What each move adds.
    pub increment: Millis,
    /// Moves until the next time control, if there is one; zero counts as one.
    pub moves_to_go: Option<u32>,
}

/// Whether a search has to wait for a command before it may answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Wait {
    /// It answers as soon as any limit is reached.
    #[default]
    No,
    /// It answers only after a stop (`go infinite`).
    UntilStop,
    /// The opponent is thinking (`go ponder`): clocks start at the ponder hit.
    Ponder,
}

/// Everything that can end a search. The limit reached first wins.
///
/// Without any limit the search goes on to the greatest depth there is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Iterations, clamped to `1..=`[`MAX_DEPTH`](crate::types::MAX_DEPTH).
    pub depth: Option<u32>,
    /// Nodes of all threads together; exact with one thread. Zero counts as one.
    pub nodes: Option<u64>,
    /// Nodes of all threads together after which no new iteration begins: the running one
    /// is finished. Training games use it, so that every score is that of a whole iteration.
    pub soft_nodes: Option<u64>,
    /// Time for this move, out of which the move overhead is taken.
    pub move_time: Option<Millis>,
    /// The clocks. A side without a clock of its own is given the other's.
    pub clocks: PerColor<Option<Clock>>,
    /// Ends the search once a mate in so many moves is proven; zero is no limit.
    pub mate: Option<u32>,
    /// Whether the search must wait for a stop or a ponder hit.
    pub wait: Wait,
    /// The root moves to look at. Illegal ones are ignored; if none is left, all moves are.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Only a depth, in plies.
    #[must_use]
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// Only a number of nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// The clock of the side to move.
    pub(crate) fn clock(&self, side: Color) -> Option<Clock> {
        self.clocks[side].or(self.clocks[!side])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn milliseconds_saturate() {
        assert_eq!(Millis::from_signed(-5), Millis::ZERO);
        assert_eq!(Millis::new(3).minus(Millis::new(5)), Millis::ZERO);
        assert_eq!(Millis::new(u64::MAX).plus(Millis::new(5)), Millis::new(u64::MAX));
        assert_eq!(Millis::new(u64::MAX).scaled(7, 2), Millis::new(u64::MAX));
        assert_eq!(Millis::new(100).scaled(3, 4), Millis::new(75));
    }

    #[test]
    fn a_missing_clock_is_borrowed() {
        let clock = Clock { left: Millis::new(9), ..Clock::default() };
        let mut limits = Limits::default();
        assert_eq!(limits.clock(Color::White), None);
        limits.clocks[Color::Black] = Some(clock);
        assert_eq!(limits.clock(Color::White), Some(clock));
    }
}
