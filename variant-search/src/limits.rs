//! When a search has to end.

use tamarin_base::params::Params;
use tamarin_base::{Clock, GameTime, Millis, TimeLimits};
use tamarin_variant::Move;

/// Everything that can end a search; the limit reached first wins. Without any, the search goes on
/// to the greatest depth there is.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Iterations, in plies.
    pub depth: Option<u32>,
    /// Nodes of all threads together; exact with one thread, unless the first root move of the first
    /// iteration is not done by then: it may take up to 10,000 nodes.
    pub nodes: Option<u64>,
    /// Time for this move, out of which the move overhead is taken.
    pub move_time: Option<Millis>,
    /// The clock of the side to move.
    pub clock: Option<Clock>,
    /// Ends the search once a win in this number of moves is proven.
    pub mate: Option<u32>,
    /// The root moves to look at; those that are not legal are ignored. Empty means all.
    pub search_moves: Vec<Move>,
    /// What the clock does not say: the time that a move costs beyond the search.
    pub overhead: Millis,
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

    /// Only a time.
    pub fn move_time(milliseconds: u64) -> Self {
        Self { move_time: Some(Millis::new(milliseconds)), ..Self::default() }
    }

    pub(crate) fn time(&self, fullmove: u32) -> TimeLimits {
        let fullmove = u16::try_from(fullmove).unwrap_or(u16::MAX);
        let game = GameTime { fullmove, overhead: self.overhead, ponder: false };
        TimeLimits::new(self.clock, self.move_time, game, &Params::new())
    }
}
