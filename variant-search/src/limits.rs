//! When a search has to end.

use tamarin_base::params::Params;
use tamarin_base::{Clock, GameTime, Millis, TimeLimits};
use tamarin_variant::{Move, Position};

use crate::score::{of_outcome, score_value};
use tamarin_base::ScoreValue;

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
    /// How many best lines to find (MultiPV); 0 counts as 1.
    pub lines: usize,
    /// Where play varies, its seed: moves whose scores differ by less than
    /// [`VARIETY`](tamarin_base::formula::VARIETY) are chosen from by chance.
    pub variety: Option<u64>,
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

/// A line that a finished iteration has found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Its depth, in plies.
    pub depth: u32,
    /// The deepest ply reached.
    pub selective_depth: u32,
    /// The score for the side to move.
    pub value: ScoreValue,
    /// Nodes of all threads so far.
    pub nodes: u64,
    /// Since the search began.
    pub time: Millis,
    /// How full the transposition table is with entries of this search, in permille.
    pub hash_full: u32,
    /// The line, legal from the root on.
    pub pv: Vec<Move>,
}

/// How a search has ended.
#[derive(Clone, PartialEq, Debug)]
pub struct BestMove {
    /// The move to play; `None` if there is no legal move.
    pub mv: Option<Move>,
    /// The answer expected.
    pub ponder: Option<Move>,
    /// The score of the best move for the side to move.
    pub value: ScoreValue,
    /// The last finished iteration, in plies.
    pub depth: u32,
    /// The deepest ply reached in the iteration that the line is of.
    pub selective_depth: u32,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Moves searched in each node that was expanded, in the mean, by the first thread: the branching
    /// factor.
    pub branching: f64,
    /// The line that begins with the best move.
    pub pv: Vec<Move>,
}

impl BestMove {
    /// The answer without a legal move.
    pub(crate) fn without_moves(position: &Position) -> Self {
        let outcome = position.outcome_without_moves();
        let score = of_outcome(outcome, position.side_to_move(), 0);
        Self {
            mv: None,
            ponder: None,
            value: score_value(score),
            depth: 0,
            selective_depth: 0,
            nodes: 0,
            branching: 0.0,
            pv: Vec::new(),
        }
    }
}
