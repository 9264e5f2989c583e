//! When a search has to end.

use tamarin_base::params::Params;
use tamarin_base::{Clock, GameTime, Millis, TimeLimits, Wait};
use tamarin_movegen::{Color, Move, PerColor};

use crate::options::SearchOptions;

/// Everything that can end a search. The limit reached first wins.
///
/// Without any limit the search goes on to the greatest depth there is.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Iterations, clamped to `1..=`[`MAX_DEPTH`](tamarin_base::types::MAX_DEPTH).
    pub depth: Option<u32>,
    /// Nodes of all threads together; exact with one thread. Zero counts as one.
    pub nodes: Option<u64>,
    /// Nodes of all threads together after which no new iteration begins: the running one
    /// is finished. Training games use it, so that every score is that of a whole iteration unless
    /// another limit cuts it.
    pub soft_nodes: Option<u64>,
    /// Time for this move, out of which the move overhead is taken.
    pub move_time: Option<Millis>,
    /// The clocks. A side without a clock of its own is given the other's.
    pub clocks: PerColor<Option<Clock>>,
    /// Ends the search once a mate in this number of moves, by either side, is found, or proven not
    /// to be there; zero is no limit.
    pub mate: Option<u32>,
    /// Whether the search must wait for a stop or a ponder hit.
    pub wait: Wait,
    /// The root moves to look at. Illegal ones are ignored; if none is left, all moves are.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Only a depth, in plies.
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// Only a number of nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// The clock of the side to move.
    pub(crate) fn clock(&self, side: Color) -> Option<Clock> {
        self.clocks[side].or(self.clocks[!side])
    }

    /// How long `side` may search at the given move of the game.
    pub(crate) fn time(
        &self,
        side: Color,
        fullmove: u16,
        options: &SearchOptions,
        params: &Params,
    ) -> TimeLimits {
        let game = GameTime { fullmove, overhead: options.move_overhead, ponder: options.ponder };
        TimeLimits::new(self.clock(side), self.move_time, game, params)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_follow_the_clock_of_the_side_to_move_and_the_options() {
        let clock = |left| Some(Clock { left: Millis::new(left), ..Clock::default() });
        let limits =
            Limits { clocks: PerColor([clock(60_000), clock(6_000)]), ..Limits::default() };
        let options = SearchOptions { move_overhead: Millis::new(7), ..Default::default() };
        let game = |ponder| GameTime { fullmove: 9, overhead: Millis::new(7), ponder };
        let params = &Params::new();
        for (side, clock) in [(Color::White, clock(60_000)), (Color::Black, clock(6_000))] {
            for ponder in [false, true] {
                let options = SearchOptions { ponder, ..options.clone() };
                assert_eq!(
                    limits.time(side, 9, &options, params),
                    TimeLimits::new(clock, None, game(ponder), params)
                );
            }
        }
    }
}
