//! Fourth phase, part one: is the table's move the only good one?

use tamarin_movegen::Move;

use super::Facts;
use crate::formula::margins;
use crate::threads::worker::Worker;
use crate::types::{Exit, Expected, Node, NonPv, Step, Window};

impl Worker<'_> {
    /// How many plies deeper than the others, or less deep, a move shall be searched.
    ///
    /// Singular extension: if without the table's move the node is clearly worse, that
    /// move is the only one and deserves more depth. If the node is at least beta without
    /// it, beta is safe and the node ends here.
    pub(super) fn extension<N: Node>(&mut self, facts: &Facts, mv: Move) -> Step<i32> {
        // The line through this move starts with what its parents were extended by.
        let so_far = self.stack.before(self.ply, 1).double_extensions;
        self.stack.at_mut(self.ply).double_extensions = so_far;
        let Some((score, bound)) = facts.hit.and_then(|hit| hit.result) else { return Ok(0) };
        let depth = facts.hit.map_or(0, |hit| hit.depth);
        let candidate = !N::ROOT
            && facts.table_move == Some(mv)
            && facts.excluded.is_none()
            && facts.depth >= margins::singular_depth(&self.params, facts.principal)
            && depth >= facts.depth - self.params.singular_tt_depth()
            && bound.is_lower()
            && !score.is_decisive()
            && (self.ply as i32) < self.params.singular_ply_limit() * self.root_depth;
        if !candidate {
            return Ok(0);
        }
        let beta = score - margins::singular(&self.params, facts.depth, facts.principal);
        let others = self.search_others(facts, mv, Window::zero_below(beta))?;
        if others < beta {
            return Ok(self.extend_by::<N>(mv, beta.units() - others.units()));
        }
        if others >= facts.window.beta && !others.is_decisive() && !N::PV {
            return Err(Exit::Return(others));
        }
        // Several moves are good: the table's need not be looked at so closely.
        Ok(match facts.expected {
            _ if score >= facts.window.beta && N::PV => -self.params.negative_extension(),
            _ if score >= facts.window.beta => {
                -self.params.negative_extension() - self.params.negative_extension_non_pv()
            }
            Expected::CutNode => -self.params.negative_extension_cut_node(),
            Expected::AllNode => 0,
        })
    }

    /// The score of the node without the given move, with half the depth.
    fn search_others(
        &mut self,
        facts: &Facts,
        mv: Move,
        window: Window,
    ) -> Step<tamarin_eval::Score> {
        self.stack.at_mut(self.ply).excluded = Some(mv);
        let score = self.search::<NonPv>(
            window,
            margins::singular_search_depth(&self.params, facts.depth),
            facts.expected,
        )?;
        self.stack.at_mut(self.ply).excluded = None;
        Ok(score)
    }

    /// One ply, or more if the others are far worse and the line was not extended much.
    fn extend_by<N: Node>(&mut self, mv: Move, gap: i32) -> i32 {
        let so_far = self.stack.before(self.ply, 1).double_extensions;
        if N::PV
            || gap <= self.params.double_extension_margin()
            || so_far as i32 >= self.params.double_extension_limit()
        {
            return 1;
        }
        self.stack.at_mut(self.ply).double_extensions = so_far + 1;
        if !mv.is_noisy() && gap > self.params.triple_extension_margin() { 3 } else { 2 }
    }
}
