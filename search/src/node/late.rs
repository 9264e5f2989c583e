//! Fourth phase, part two: which moves are not worth trying, and how deep the others are.

use tamarin_movegen::{CheckInfo, Move, SEE_VALUES};

use super::Facts;
use super::loop_moves::Best;
use crate::formula::reductions::{Late, PLY};
use crate::formula::{margins, reductions};
use crate::history::{ContinuationContext, ContinuationRow};
use crate::threads::worker::Worker;
use crate::types::{Aborted, Expected, Node, NonPv, Pv, Window};

/// What to do with a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveVerdict {
    /// Search it.
    Search,
    /// Leave it out.
    Skip,
}

/// A move about to be tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub mv: Move,
    /// What the histories say about it.
    pub history: i32,
    /// The reduction before it is made, in 1/1024 ply.
    pub reduction: i32,
    /// Whether it is the node's killer.
    pub killer: bool,
    /// Whether it gives check.
    pub check: bool,
    /// How many plies deeper it is searched.
    pub extension: i32,
}

impl Candidate {
    /// The first move of a node: it is neither left out nor reduced, so nobody asks what it
    /// is like.
    pub(super) const fn first(mv: Move) -> Self {
        Self { mv, history: 0, reduction: 0, killer: false, check: false, extension: 0 }
    }
}

impl Worker<'_> {
    /// Looks a move up before it is tried as the `count`-th.
    #[inline(always)]
    pub(super) fn candidate(
        &self,
        facts: &Facts,
        mv: Move,
        count: u32,
        (past, checks): (&ContinuationContext, &CheckInfo),
    ) -> Candidate {
        let check = self.position.gives_check_with(mv, checks);
        let piece = self.position.moved_piece(mv);
        let history = if mv.is_noisy() {
            let captured = self.position.captured_by(mv);
            self.histories.capture.value(piece, mv.to(), captured)
        } else {
            let &[last, own, _] = past;
            let continuation = &self.histories.continuation;
            let place = ContinuationRow::place(piece, mv.to());
            self.histories.quiet.of(piece.color()).value(facts.threats, mv)
                + continuation.after(last).at(place)
                + continuation.after(own).at(place)
        };
        let late = Late {
            depth: facts.depth,
            count,
            noisy: mv.is_noisy(),
            improving: facts.improving,
            history,
        };
        let reduction = reductions::late(&self.params, &late);
        let killer = self.stack.at(self.ply).killer == Some(mv);
        Candidate { mv, history, reduction, killer, check, extension: 0 }
    }

    /// Whether moves may be left out: not before there is a score that is not lost, so
    /// that no node seems to be mate for want of moves.
    #[inline]
    fn may_leave_out<N: Node>(&self, best: &Best) -> bool {
        let us = self.position.side_to_move();
        !N::ROOT && !best.score.is_loss() && self.position.has_non_pawn_material(us)
    }

    /// Whether so many moves were tried that no further quiet one is worth a look.
    #[inline]
    pub(super) fn enough_quiets<N: Node>(&self, facts: &Facts, best: &Best) -> bool {
        best.count >= margins::late_move_count(&self.params, facts.depth, facts.improving)
            && self.may_leave_out::<N>(best)
    }

    /// Whether a move is worth trying.
    pub(super) fn judge<N: Node>(
        &self,
        facts: &Facts,
        best: &Best,
        candidate: &Candidate,
    ) -> MoveVerdict {
        if !self.may_leave_out::<N>(best) {
            return MoveVerdict::Search;
        }
        let depth = (facts.depth - 1 - candidate.reduction / PLY).max(0);
        if candidate.mv.is_noisy() {
            self.judge_noisy(facts, best, candidate, depth)
        } else {
            self.judge_quiet(facts, best, candidate, depth)
        }
    }

    fn judge_quiet(
        &self,
        facts: &Facts,
        best: &Best,
        candidate: &Candidate,
        depth: i32,
    ) -> MoveVerdict {
        let params = &self.params;
        if !facts.in_check
            && !candidate.check
            && !best.alpha.is_win()
            && depth <= params.futility_depth()
            && facts.static_eval + margins::futility(params, depth) <= best.alpha
        {
            return MoveVerdict::Skip;
        }
        let forgotten = -params.history_pruning_factor() * facts.depth;
        if depth <= params.history_pruning_depth() && candidate.history < forgotten {
            return MoveVerdict::Skip;
        }
        let loss = match candidate.check {
            true => margins::capture_see(params, facts.depth, 0),
            false => margins::quiet_see(params, depth),
        };
        // Who leaves and enters squares that the enemy does not attack cannot be taken; a
        // slider that attacks through the one attacks it now.
        let (from, to) = (candidate.mv.from(), candidate.mv.to());
        let exposed = facts.threats.has(from) || facts.threats.has(to);
        if exposed && !self.position.see_at_least(candidate.mv, loss) {
            return MoveVerdict::Skip;
        }
        MoveVerdict::Search
    }

    fn judge_noisy(
        &self,
        facts: &Facts,
        best: &Best,
        candidate: &Candidate,
        depth: i32,
    ) -> MoveVerdict {
        let params = &self.params;
        let captured = self.position.captured_by(candidate.mv);
        let gain = captured.map_or(0, |kind| SEE_VALUES[kind.index()])
            + candidate.history / params.capture_futility_history();
        if !facts.in_check
            && depth <= params.capture_futility_depth()
            && !candidate.mv.is_promotion()
            && facts.static_eval + margins::capture_futility(params, depth) + gain <= best.alpha
        {
            return MoveVerdict::Skip;
        }
        let loss = margins::capture_see(params, facts.depth, candidate.history);
        if !self.position.see_at_least(candidate.mv, loss) {
            return MoveVerdict::Skip;
        }
        MoveVerdict::Search
    }

    /// The score of the move just made, as far as it matters: late moves first with less
    /// depth, all but the first with no more of a window than it takes to see whether
    /// they are better.
    pub(super) fn search_move<N: Node>(
        &mut self,
        facts: &Facts,
        best: &Best,
        candidate: &Candidate,
    ) -> Result<tamarin_eval::Score, Aborted> {
        let mut depth = facts.depth - 1 + candidate.extension;
        let window = Window { alpha: best.alpha, beta: facts.window.beta };
        let scout = Window::zero_above(best.alpha).negated();
        let expected = if N::PV { Expected::CutNode } else { facts.expected.opposite() };
        let mut score = best.alpha;
        let late = facts.depth >= self.params.lmr_depth()
            && best.count as i32 > reductions::full_moves::<N>(&self.params);
        if late {
            let reduction = self.full_reduction::<N>(facts, candidate);
            let reduced = (depth - reduction / PLY).clamp(1, depth.max(1));
            self.stack.before_mut(self.ply, 1).reduction = reduction;
            score = -self.search::<NonPv>(scout, reduced, Expected::CutNode)?;
            self.stack.before_mut(self.ply, 1).reduction = 0;
            if score > best.alpha && reduced < depth {
                depth += i32::from(score > best.score + self.params.deeper_margin());
                depth -= i32::from(score < best.score + self.params.shallower_margin());
                if reduced < depth {
                    score = -self.search::<NonPv>(scout, depth, expected)?;
                }
                self.update_after_research(facts, candidate.mv, score);
            }
        } else if !N::PV || best.count > 1 {
            score = -self.search::<NonPv>(scout, depth, expected)?;
        }
        if N::PV && (best.count == 1 || score > best.alpha) {
            score = -self.search::<Pv>(window.negated(), depth, Expected::AllNode)?;
        }
        Ok(score)
    }

    /// The reduction of a move that was made, in 1/1024 ply.
    fn full_reduction<N: Node>(&self, facts: &Facts, candidate: &Candidate) -> i32 {
        let params = &self.params;
        let mut reduction = candidate.reduction;
        if facts.expected == Expected::CutNode {
            reduction += params.reduction_cut_node();
        }
        if facts.principal {
            reduction -= params.reduction_tt_pv();
        }
        if candidate.check {
            reduction -= params.reduction_check();
        }
        if candidate.killer {
            reduction -= params.reduction_killer();
        }
        if facts.table_move.is_some_and(Move::is_noisy) {
            reduction += params.reduction_tt_capture();
        }
        // The move is made: this is the stack entry of the child.
        if self.stack.at(self.ply).cutoffs as i32 > params.reduction_cutoff_count() {
            reduction += params.reduction_cutoffs();
        }
        reduction
    }
}
