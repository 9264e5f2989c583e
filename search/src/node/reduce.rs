//! Late-move reductions (LMR): how much less deep late moves are searched at first.

use tamarin_movegen::{CheckInfo, Move};

use super::facts::{Candidate, MovesContext, Searched};
use crate::history::ContinuationRow;
use crate::threads::worker::Worker;
use tamarin_base::formula::{self, LateMove, weighted};
use tamarin_base::types::{Expected, Node};

impl Worker<'_> {
    /// Looks up what pruning and reductions need to know of a move: its histories and the
    /// reduction that follows from them, with it as the `count`-th move tried.
    ///
    /// In line, for otherwise the result goes through memory: 1.1 % of all instructions.
    #[inline(always)]
    pub(super) fn candidate(
        &self,
        node: &MovesContext<'_>,
        mv: Move,
        count: u32,
        checks: &CheckInfo,
    ) -> Candidate {
        let piece = self.position.moved_piece(mv);
        let history = if mv.is_noisy() {
            let captured = self.position.captured_by(mv);
            self.histories.capture.value(piece, mv.to(), captured)
        } else {
            let [last, own, _] = node.continuation;
            let continuation = &self.histories.continuation;
            let index = ContinuationRow::index(piece, mv.to());
            let quiet = self.histories.quiet.of(piece.color()).value(node.threats.all, mv);
            weighted(self.params.move_quiet_history(), quiet)
                + continuation.after(last).at(index)
                + continuation.after(own).at(index)
        };
        let late_move = LateMove {
            depth: node.depth,
            count,
            noisy: mv.is_noisy(),
            improving: node.facts.improving,
            history,
        };
        Candidate {
            mv,
            history,
            reduction: formula::late_move(&self.params, &late_move),
            killer: self.stack.at(self.ply).killer == Some(mv),
            gives_check: self.position.gives_check_with(mv, checks),
            extension: 0,
        }
    }

    /// The whole reduction of a move that was just made, in 1/1024 ply: that of the candidate,
    /// adjusted by what is known of node, move and children.
    pub(super) fn full_reduction<N: Node>(
        &self,
        node: &MovesContext<'_>,
        searched: &Searched,
        candidate: &Candidate,
    ) -> i32 {
        let (params, facts) = (&self.params, node.facts);
        let mut reduction = candidate.reduction;
        if facts.expected == Expected::CutNode {
            reduction += params.reduction_cut_node();
            if facts.probe.tt_move.is_none() {
                reduction += params.reduction_no_tt_move();
            }
        }
        if facts.tt_pv {
            reduction -= params.reduction_tt_pv();
        }
        if N::PV {
            let width = facts.window.beta.units() - searched.alpha.units();
            let share = width.min(self.root_width);
            reduction -= params.reduction_window() * share / self.root_width.max(1);
        }
        let correction = facts.evaluation.correction.abs().min(params.reduction_correction_limit());
        reduction -= params.reduction_correction() * correction;
        if candidate.gives_check {
            reduction -= params.reduction_check();
        }
        if candidate.killer {
            reduction -= params.reduction_killer();
        }
        if facts.probe.tt_move.is_some_and(Move::is_noisy) {
            reduction += params.reduction_tt_capture();
        }
        // The move is made, so this is the stack entry of the child.
        if self.stack.at(self.ply).cutoff_count as i32 > params.reduction_cutoff_count() {
            reduction += params.reduction_cutoffs();
        }
        reduction
    }
}
