//! Pruning of moves: which moves are left out without a search.

use tamarin_movegen::SEE_VALUES;

use super::facts::{Candidate, MovesContext, Searched};
use crate::threads::worker::Worker;
use tamarin_base::formula::{self, PLY};
use tamarin_base::types::Node;

impl Worker<'_> {
    /// Moves are pruned only once there is a score that is no loss, so that no node seems
    /// to be mate because its moves were left out; and never at the root or in pawn endings.
    #[inline]
    fn may_prune_moves<N: Node>(&self, searched: &Searched) -> bool {
        let us = self.position.side_to_move();
        !N::ROOT && !searched.best_score.is_loss() && self.position.has_non_pawn_material(us)
    }

    /// Late-move pruning: whether so many moves were tried that the remaining quiet ones are
    /// left out.
    #[inline]
    pub(super) fn prunes_late_moves<N: Node>(
        &self,
        node: &MovesContext<'_>,
        searched: &Searched,
    ) -> bool {
        let improving = node.facts.improving;
        searched.tried >= formula::late_move_count(&self.params, node.depth, improving)
            && self.may_prune_moves::<N>(searched)
    }

    /// Whether to leave a move out, by futility, history or static exchange.
    pub(super) fn prunes_move<N: Node>(
        &self,
        node: &MovesContext<'_>,
        searched: &Searched,
        candidate: &Candidate,
    ) -> bool {
        if !self.may_prune_moves::<N>(searched) {
            return false;
        }
        // The depth that the move is likely to be searched with first.
        let reduced = (node.depth - 1 - candidate.reduction / PLY).max(0);
        if candidate.mv.is_noisy() {
            self.prunes_noisy(node, searched, candidate, reduced)
        } else {
            self.prunes_quiet(node, searched, candidate, reduced)
        }
    }

    fn prunes_quiet(
        &self,
        node: &MovesContext<'_>,
        searched: &Searched,
        candidate: &Candidate,
        reduced: i32,
    ) -> bool {
        let params = &self.params;
        let futile = !node.facts.in_check
            && !candidate.gives_check
            && !searched.alpha.is_win()
            && reduced <= params.futility_depth()
            && node.facts.evaluation.corrected + formula::futility(params, reduced)
                <= searched.alpha;
        if futile {
            return true;
        }
        let bad_history = -params.history_pruning_factor() * node.depth;
        if !candidate.gives_check
            && reduced <= params.history_pruning_depth()
            && candidate.history < bad_history
        {
            return true;
        }
        let allowed = if candidate.gives_check {
            -params.check_see_factor() * node.depth
        } else {
            formula::quiet_see(params, reduced)
        };
        // Between two squares that the opponent does not attack a move loses nothing. (A
        // slider that attacks the target through the origin attacks the origin too.) Not
        // asking saves 0.7 % of all instructions.
        let (from, to) = (candidate.mv.from(), candidate.mv.to());
        let exposed = node.threats.all.has(from) || node.threats.all.has(to);
        exposed && !self.position.see_at_least(candidate.mv, allowed)
    }

    fn prunes_noisy(
        &self,
        node: &MovesContext<'_>,
        searched: &Searched,
        candidate: &Candidate,
        reduced: i32,
    ) -> bool {
        let params = &self.params;
        let captured = self.position.captured_by(candidate.mv);
        let gain = captured.map_or(0, |kind| SEE_VALUES[kind.index()])
            + candidate.history / params.capture_futility_history();
        let futile = !node.facts.in_check
            && !candidate.gives_check
            && reduced <= params.capture_futility_depth()
            && !candidate.mv.is_promotion()
            && node.facts.evaluation.corrected + formula::capture_futility(params, reduced) + gain
                <= searched.alpha;
        if futile {
            return true;
        }
        let allowed = formula::capture_see(params, node.depth, candidate.history);
        !self.position.see_at_least(candidate.mv, allowed)
    }
}
