//! Singular extensions and multi-cut: is the table's move the only good one?

use tamarin_eval::Score;
use tamarin_movegen::Move;

use super::facts::MovesContext;
use crate::threads::worker::Worker;
use tamarin_base::formula;
use tamarin_base::types::{Exit, Expected, Node, NonPv, Step, Window};

impl Worker<'_> {
    /// By how many plies a move is extended; negative if it is reduced.
    ///
    /// Singular extension: if a search of all moves but the table's fails low against a bound
    /// somewhat below the table's score, that move is the only good one and deserves more
    /// depth. Multi-cut: if it fails high against beta, so would the node.
    pub(super) fn extension<N: Node>(&mut self, node: &MovesContext<'_>, mv: Move) -> Step<i32> {
        // Each move starts from what the line to this node has had.
        let so_far = self.stack.before(self.ply, 1).double_extensions;
        self.stack.at_mut(self.ply).double_extensions = so_far;
        let Some(tt_score) = self.score_to_test::<N>(node, mv) else { return Ok(0) };
        let facts = node.facts;
        let margin = formula::singular(&self.params, node.depth, facts.tt_pv);
        let singular_beta = tt_score - margin;
        let score = self.search_others(node, mv, Window::zero_below(singular_beta))?;
        if score < singular_beta {
            let correction = facts.evaluation.correction.abs();
            let uncertainty = correction * self.params.singular_correction() / 1024;
            let gap = singular_beta.units() - score.units() + uncertainty;
            return Ok(self.singular_extension::<N>(mv, gap));
        }
        if score >= facts.window.beta && !score.is_decisive() && !N::PV {
            return Err(Exit::Return(score));
        }
        Ok(self.negative_extension::<N>(node, tt_score))
    }

    /// The table's score of the node, if that is reliable enough to test its move by.
    fn score_to_test<N: Node>(&self, node: &MovesContext<'_>, mv: Move) -> Option<Score> {
        let facts = node.facts;
        let hit = facts.probe.hit?;
        let (score, bound) = hit.result?;
        let reliable = !N::ROOT
            && facts.probe.tt_move == Some(mv)
            && facts.excluded.is_none()
            && node.depth >= formula::singular_depth(&self.params, facts.tt_pv)
            && hit.depth >= node.depth - self.params.singular_tt_depth()
            && bound.is_lower()
            && !score.is_decisive()
            && (self.ply as i32) < self.params.singular_ply_limit() * self.root_depth;
        reliable.then_some(score)
    }

    /// The score of the node without the move, by a search of about half the depth.
    fn search_others(&mut self, node: &MovesContext<'_>, mv: Move, window: Window) -> Step<Score> {
        let depth = formula::singular_search_depth(&self.params, node.depth);
        self.stack.at_mut(self.ply).excluded_move = Some(mv);
        let score = self.search::<NonPv>(window, depth, node.facts.expected)?;
        self.stack.at_mut(self.ply).excluded_move = None;
        Ok(score)
    }

    /// One ply; off the PV two if the others are worse by a margin, and three for a quiet move
    /// if by a greater one, unless the line has had many of those.
    fn singular_extension<N: Node>(&mut self, mv: Move, gap: i32) -> i32 {
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

    /// Several moves are good, so the table's is searched with less depth.
    fn negative_extension<N: Node>(&self, node: &MovesContext<'_>, tt_score: Score) -> i32 {
        let params = &self.params;
        if tt_score >= node.facts.window.beta {
            let more = if N::PV { 0 } else { params.negative_extension_non_pv() };
            return -params.negative_extension() - more;
        }
        match node.facts.expected {
            Expected::CutNode => -params.negative_extension_cut_node(),
            Expected::AllNode => 0,
        }
    }
}
