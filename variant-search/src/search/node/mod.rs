//! One node of the tree: its steps in order, and what they hand on to each other. The steps and
//! their numbers are those of the standard search (`docs/search.md`).

mod moves;
mod probe;
mod prune;
mod update;

use arrayvec::ArrayVec;
use tamarin_base::Score;
use tamarin_base::params::MALUS_MOVES;
use tamarin_base::types::{Aborted, Evaluation, Exit, Expected, Node, Step, Window};
use tamarin_variant::Move;

use super::history::Context;
use super::order::ScoredMove;
use super::stack::context;
use super::worker::Worker;
use crate::score::{MAX_PLY, WIN};
use crate::table::{MoveCode, TableEntry};

impl Worker<'_> {
    /// The score of the current position: fail-soft, for the side to move.
    ///
    /// # Errors
    /// If the search was stopped; then the position is not restored.
    pub fn search<N: Node>(
        &mut self,
        window: Window,
        depth: i32,
        expected: Expected,
    ) -> Result<Score, Aborted> {
        if depth <= 0 && !self.full_width() {
            return self.qsearch::<N>(window, 0);
        }
        match self.search_node::<N>(window, depth, expected) {
            Ok(score) | Err(Exit::Return(score)) => Ok(score),
            Err(Exit::Abort) => Err(Aborted),
        }
    }

    fn search_node<N: Node>(
        &mut self,
        window: Window,
        depth: i32,
        expected: Expected,
    ) -> Step<Score> {
        let window = self.bound_window::<N>(window)?;
        if depth <= 0 && self.full_width() {
            return Ok(self.leaf());
        }
        let probe = self.probe_table::<N>();
        if !N::PV && self.stack.at(self.ply).excluded_move.is_none() {
            self.try_tt_cutoff(&probe, window, depth, expected)?;
        }
        let evaluation = self.evaluate_node(&probe, window);
        let facts = self.gather_facts::<N>(window, expected, probe, evaluation);
        self.prepare_stack(&facts);
        let depth = if self.full_width() { depth } else { self.prune_node::<N>(&facts, depth)? };
        let node = MovesContext { facts: &facts, depth, context: context(&self.stack, self.ply) };
        let mut searched = Searched::new(window.alpha);
        self.search_moves::<N>(&node, &mut searched)?;
        Ok(self.finish_node::<N>(&node, &searched))
    }

    /// Stops the search if it is time, recognizes the end of the game by rule, and narrows the
    /// window to the scores that are possible at this ply.
    fn bound_window<N: Node>(&mut self, window: Window) -> Step<Window> {
        self.check_limits()?;
        if N::PV {
            self.stack.at_mut(self.ply).pv.clear();
            self.selective_depth = self.selective_depth.max(self.ply);
        }
        if N::ROOT {
            return Ok(window);
        }
        self.end_by_rule()?;
        // Mate-distance pruning: no line from here is better than one found already.
        let limit = |score: Score| {
            let ply = self.ply as i32;
            Score::new(score.units().clamp(ply - WIN, WIN - ply - 1))
        };
        let (alpha, beta) = (limit(window.alpha), limit(window.beta));
        if alpha >= beta { Err(Exit::Return(alpha)) } else { Ok(Window { alpha, beta }) }
    }

    /// Ends by rule, ends while pieces can move, and the end of the line at [`MAX_PLY`].
    pub fn end_by_rule(&mut self) -> Step<()> {
        if let Some(score) = self.rule_score() {
            return Err(Exit::Return(score));
        }
        if self.position.decided().is_some() {
            return Err(Exit::Return(self.no_move_score()));
        }
        if self.ply >= MAX_PLY {
            return Err(Exit::Return(self.leaf()));
        }
        Ok(())
    }
}

/// What the transposition table (TT) knows of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    /// The key of the position in the table.
    pub key: u64,
    pub hit: Option<TableEntry>,
    /// The table's move; at the root the best move so far.
    pub tt_move: Option<MoveCode>,
}

impl Probe {
    /// Whether the table has an upper bound of the score below this one.
    fn says_below(&self, score: Score) -> bool {
        let result = self.hit.and_then(|hit| hit.result);
        result.is_some_and(|(bounded, bound)| bound.is_upper() && bounded < score)
    }
}

/// What is known of a node before any of its moves is tried. It does not change after that.
#[derive(Clone, Copy, Debug)]
struct Facts {
    window: Window,
    expected: Expected,
    probe: Probe,
    evaluation: Evaluation,
    /// The move that a singular search leaves out.
    excluded: Option<Move>,
    /// Whether it is a check that counts as one.
    in_check: bool,
    /// Whether the side to move stands better than at its last move.
    improving: bool,
    /// Whether the node is on the principal variation or, by the table, once was.
    tt_pv: bool,
}

/// What all moves of a node share.
#[derive(Clone, Copy, Debug)]
struct MovesContext<'f> {
    facts: &'f Facts,
    /// The depth left, internal iterative reduction taken off.
    depth: i32,
    /// The moves before this node.
    context: Context,
}

/// A move after the first one of a node: what pruning and late-move reductions depend on.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    it: ScoredMove,
    /// The sum of its histories.
    history: i32,
    /// Its late-move reduction by depth, count and history alone, in 1/1024 ply.
    reduction: i32,
    /// Whether it is the killer of this ply.
    killer: bool,
}

/// The moves of a node searched so far.
struct Searched {
    /// The best score so far.
    best_score: Score,
    /// The move that raised alpha, if one did.
    best_move: Option<ScoredMove>,
    /// Alpha of the window, or the best score if that is greater.
    alpha: Score,
    /// How many moves were tried: those searched and those pruned by themselves.
    tried: u32,
    /// How many moves were searched.
    count: u32,
    /// By how many plies the moves to come are searched less deep, since alpha was raised.
    depth_cut: i32,
    /// Quiet moves that did not raise alpha.
    other_quiets: ArrayVec<ScoredMove, MALUS_MOVES>,
    /// Captures and promotions that did not.
    other_noisies: ArrayVec<ScoredMove, MALUS_MOVES>,
}

impl Searched {
    /// No move yet.
    fn new(alpha: Score) -> Self {
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
    fn add_other(&mut self, it: ScoredMove) {
        let moves = if it.is_noisy() { &mut self.other_noisies } else { &mut self.other_quiets };
        let _ = moves.try_push(it);
    }
}
