//! One node of the tree: its steps in order, each in a file of its own.
//!
//! `docs/search.md` describes each technique and what it is worth.

mod bound;
mod facts;
mod move_pruning;
mod moves;
mod probe;
mod prune;
mod reduce;
mod singular;
mod tablebase;
mod update;

use tamarin_eval::Score;

use crate::threads::worker::Worker;
use crate::threats::Threats;
use facts::{MovesContext, Searched};
use tamarin_base::types::{Aborted, Exit, Expected, Node, Step, Window};

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
        if depth <= 0 {
            return self.qsearch::<N>(window);
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
        let probe = self.probe_table::<N>();
        if !N::PV && self.stack.at(self.ply).excluded_move.is_none() {
            self.try_tt_cutoff(&probe, window, depth, expected)?;
        }
        let known = self.probe_tablebases::<N>(&probe, window, depth)?;
        let window = known.narrow::<N>(window);
        self.prefetch_children::<N>(&probe, expected);
        let evaluation = self.evaluate_node(probe.hit);
        if probe.hit.is_none() {
            self.store_evaluation(probe.key, evaluation.raw);
        }
        let facts = self.gather_facts::<N>(window, expected, probe, evaluation);
        self.update_parent_by_evaluation(&facts);
        self.prepare_stack(&facts);
        let depth = self.prune_node::<N>(&facts, depth)?;
        let node = MovesContext {
            facts: &facts,
            depth,
            threats: Threats::by(&self.position, !self.position.side_to_move()),
            continuation: self.stack.continuation_context(self.ply),
        };
        self.stack.at_mut(self.ply).threats = node.threats.all;
        let mut searched = Searched::new(facts.window.alpha);
        if N::PV {
            searched.best_score = known.min;
        }
        self.search_moves::<N>(&node, &mut searched)?;
        if N::PV {
            searched.best_score = searched.best_score.min(known.max);
        }
        Ok(self.finish_node::<N>(&node, &searched))
    }
}
