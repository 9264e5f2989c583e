//! The clock of a game that is counted in nodes.

use tamarin_base::{Clock, Millis};

/// What the clock of a game has left if time is measured in nodes: the program that keeps the real
/// clocks knows nothing of nodes.
#[derive(Default, Debug)]
pub(super) struct NodeClock {
    /// `None` before the first search of a game.
    left: Option<u64>,
    /// As in the last search.
    moves_to_go: Option<u32>,
    /// Nodes a millisecond, as in the last search.
    rate: u64,
}

impl NodeClock {
    /// The clock for a search, at `rate` nodes a millisecond: what is left in nodes, or what
    /// `clock` says at the beginning of the game and of each new time control or rate.
    pub fn draw(&mut self, clock: Clock, rate: u64) -> Clock {
        let is_new_control = match (self.moves_to_go, clock.moves_to_go) {
            (Some(before), Some(now)) => now > before,
            (before, now) => before.is_some() && now.is_none(),
        };
        self.moves_to_go = clock.moves_to_go;
        let is_same_rate = std::mem::replace(&mut self.rate, rate) == rate;
        let left = self.left.filter(|_| is_same_rate && !is_new_control);
        let left = left.unwrap_or_else(|| clock.left.get().saturating_mul(rate));
        self.left = Some(left);
        Clock { left: Millis::new(left / rate), ..clock }
    }

    /// A move was made: takes its nodes off, and adds those of the increment.
    pub fn charge(&mut self, nodes: u64, increment: u64) {
        self.left = self.left.map(|left| left.saturating_add(increment).saturating_sub(nodes));
    }

    /// The nodes left; `None` before the first search of a game.
    #[cfg(test)]
    pub const fn left(&self) -> Option<u64> {
        self.left
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_control_brings_the_time_that_the_clock_shows() {
        let mut nodes = NodeClock::default();
        let mut spend = |left: u64, moves_to_go: Option<u32>, spent: u64| {
            let clock = Clock { left: Millis::new(left), moves_to_go, ..Clock::default() };
            let drawn = nodes.draw(clock, 10);
            assert_eq!((drawn.moves_to_go, drawn.increment), (moves_to_go, Millis::ZERO));
            nodes.charge(spent, 0);
            drawn.left.get()
        };
        // The real clock runs faster, or slower: it does not matter until it gets new time.
        assert_eq!(spend(1000, Some(2), 4_000), 1000);
        assert_eq!(spend(100, Some(1), 5_000), 600);
        assert_eq!(spend(1090, Some(2), 9_000), 1090);
        // An answer that was not expected: the same move again.
        assert_eq!(spend(1090, Some(2), 900), 190);
        assert_eq!(spend(70, Some(1), 900), 100);
        assert_eq!(spend(500, None, 3_000), 500);
        assert_eq!(spend(490, None, 3_000), 200);
        assert_eq!(spend(480, None, 0), 0);
    }

    #[test]
    fn an_increment_comes_after_the_move() {
        let mut nodes = NodeClock::default();
        let clock = Clock { left: Millis::new(100), ..Clock::default() };
        assert_eq!(nodes.left(), None);
        nodes.charge(1, 1);
        assert_eq!(nodes.left(), None);
        assert_eq!(nodes.draw(clock, 7).left, clock.left);
        nodes.charge(650, 50);
        assert_eq!(nodes.left(), Some(100));
        assert_eq!(nodes.draw(clock, 7).left, Millis::new(14));
    }
}
