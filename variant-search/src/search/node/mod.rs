//! One node of the tree: its steps in order, and what they hand on to each other. The steps and
//! their numbers are those of the standard search (`docs/search.md`).

mod moves;
mod probe;
mod prune;
mod update;

use tamarin_base::types::{Aborted, Evaluation, Exit, Expected, Node, Step, Window};
use tamarin_base::{Score, node};
use tamarin_variant::Move;

use super::history::Context;
use super::order::ScoredMove;
use super::stack::context;
use super::worker::Worker;
use crate::score::{MAX_PLY, WIN};
use crate::table::MoveCode;

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

pub(crate) type Probe = node::Probe<MoveCode>;
type Facts = node::Facts<MoveCode, Move>;
type Searched = node::Searched<ScoredMove>;

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
