//! What the steps of a node hand on to each other.

use arrayvec::ArrayVec;
use tamarin_base::Bound;
use tamarin_eval::Score;
use tamarin_movegen::Move;

use crate::history::ContinuationContext;
use crate::threats::Threats;
use crate::tt::Hit;
use tamarin_base::params::MALUS_MOVES;
use tamarin_base::types::{Expected, Window};

/// What the transposition table (TT) knows of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// The key of the position in the table.
    pub key: u64,
    pub hit: Option<Hit>,
    /// The table's move, checked to be legal; at the root the best move so far.
    pub tt_move: Option<Move>,
}

impl Probe {
    /// Whether the table has an upper bound of the score below this one.
    pub fn says_below(&self, score: Score) -> bool {
        let result = self.hit.and_then(|hit| hit.result);
        result.is_some_and(|(bounded, bound)| bound == Bound::Upper && bounded < score)
    }
}

/// The static evaluation of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluation {
    /// As the evaluator gives it; `None` in check.
    pub raw: Option<Score>,
    /// With correction history, fifty-move clock and optimism; [`Score::DRAW`] in check, where
    /// nothing reads it.
    pub corrected: Score,
    /// The table's score instead, if that is a bound on the right side.
    pub refined: Score,
    /// What correction history adds, in score units; zero in check.
    pub correction: i32,
}

/// What is known of a node before any of its moves is tried. It does not change after that.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    pub window: Window,
    pub expected: Expected,
    pub probe: Probe,
    pub evaluation: Evaluation,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    pub in_check: bool,
    /// Whether the side to move stands better than at its last move.
    pub improving: bool,
    /// Whether the node is on the principal variation or, by the table, once was.
    pub tt_pv: bool,
}

/// What all moves of a node share.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovesContext<'f> {
    pub facts: &'f Facts,
    /// The depth left, internal iterative reduction taken off.
    pub depth: i32,
    /// What the opponent attacks.
    pub threats: Threats,
    /// The moves before this node.
    pub continuation: ContinuationContext,
}

/// A move about to be searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub mv: Move,
    /// The sum of its histories.
    pub history: i32,
    /// Its late-move reduction by depth, count and history alone, in 1/1024 ply.
    pub reduction: i32,
    /// Whether it is the killer of this ply.
    pub killer: bool,
    pub gives_check: bool,
    /// By how many plies it is extended.
    pub extension: i32,
}

impl Candidate {
    /// The first move of a node. It is neither pruned nor reduced, so nothing reads the rest;
    /// not looking it up saves 1.2 % of all instructions.
    pub const fn first(mv: Move) -> Self {
        Self { mv, history: 0, reduction: 0, killer: false, gives_check: false, extension: 0 }
    }
}

/// The moves of a node searched so far.
pub(super) struct Searched {
    /// The best score so far.
    pub best_score: Score,
    /// The move that raised alpha, if one did.
    pub best_move: Option<Move>,
    /// Alpha of the window, or the best score if that is greater.
    pub alpha: Score,
    /// How many moves were tried: those searched and those pruned by themselves.
    pub tried: u32,
    /// How many moves were searched.
    pub count: u32,
    /// By how many plies the moves to come are searched less deep, since alpha was raised.
    pub depth_cut: i32,
    /// Quiet moves that did not raise alpha.
    pub other_quiets: ArrayVec<Move, MALUS_MOVES>,
    /// Captures and promotions that did not.
    pub other_noisies: ArrayVec<Move, MALUS_MOVES>,
}

impl Searched {
    /// No move yet.
    pub fn new(alpha: Score) -> Self {
        Self {
            best_score: -Score::INFINITE,
            best_move: None,
            alpha,
            tried: 0,
            count: 0,
            depth_cut: 0,
            other_quiets: ArrayVec::new(),
            other_noisies: ArrayVec::new(),
        }
    }

    /// Adds a move that is not the best one, unless there are [`MALUS_MOVES`] already.
    pub fn add_other(&mut self, mv: Move) {
        let moves = if mv.is_noisy() { &mut self.other_noisies } else { &mut self.other_quiets };
        let _ = moves.try_push(mv);
    }
}
