//! What a search reports and answers.

use tamarin_base::Millis;
use tamarin_variant::{Move, Position};

use tamarin_base::ScoreValue;

use crate::score::{of_outcome, score_value};

/// What a finished iteration has found.
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
            pv: Vec::new(),
        }
    }
}
