//! Pruning: of whole nodes, whose score is returned without trying their moves or whose depth is
//! reduced, and of moves, which are left out without a search.

use tamarin_base::Bound;
use tamarin_base::formula::{self, PLY};
use tamarin_base::types::{Exit, Expected, Node, NonPv, Step, Window};
use tamarin_eval::Score;
use tamarin_movegen::{Move, SEE_VALUES};

use super::{Candidate, Facts, MovesContext, Searched};
use crate::order::{Mode, Picker};
use crate::stack::continuation_context;
use crate::threads::worker::Worker;
use crate::threats::Threats;
use crate::tt::TableEntry;

/// Pruning of whole nodes.
impl Worker<'_> {
    /// Ends the node if its score is clear enough without a search; gives the depth to search it
    /// with if not.
    pub(super) fn prune_node<N: Node>(&mut self, facts: &Facts, depth: i32) -> Step<i32> {
        if facts.excluded.is_some() {
            return Ok(depth);
        }
        let parent = self.stack.before(self.ply, 1);
        let (before, reduction) = (parent.static_eval, parent.reduction);
        let depth = depth + facts.hindsight::<N>(&self.params, depth, before, reduction);
        let may_prune = !N::PV
            && !facts.in_check
            && facts.window.beta.units().abs() <= self.params.pruning_beta_limit();
        if may_prune {
            self.razor(facts, depth)?;
            self.reverse_futility(facts, depth)?;
            self.try_null_move(facts, depth)?;
        }
        let depth = depth - facts.internal_iterative_reduction::<N>(&self.params, depth);
        if may_prune {
            self.prob_cut(facts, depth)?;
        }
        Ok(depth)
    }

    /// Razoring: if the evaluation is so far below alpha, with so little depth left, that only
    /// a capture could help, quiescence search shows whether one does.
    fn razor(&mut self, facts: &Facts, depth: i32) -> Step<()> {
        let alpha = facts.window.alpha;
        let far_below = depth <= self.params.razor_depth()
            && facts.evaluation.refined + formula::razor(&self.params, depth) <= alpha;
        if !far_below {
            return Ok(());
        }
        let score = self.qsearch::<NonPv>(facts.window)?;
        if score <= alpha { Err(Exit::Return(score)) } else { Ok(()) }
    }

    /// Reverse futility pruning, unless the table has a quiet move.
    fn reverse_futility(&self, facts: &Facts, depth: i32) -> Step<()> {
        if facts.evaluation.refined < facts.window.beta
            || facts.probe.tt_move.is_some_and(|mv| !mv.is_noisy())
        {
            return Ok(());
        }
        let before = self.stack.before(self.ply, 1).static_eval;
        let score = facts.reverse_futility(&self.params, depth, before);
        score.map_or(Ok(()), |score| Err(Exit::Return(score)))
    }

    /// Null-move pruning: if passing is good enough, some move will be.
    fn try_null_move(&mut self, facts: &Facts, depth: i32) -> Step<()> {
        let (eval, beta) = (facts.evaluation.refined, facts.window.beta);
        let worthwhile = facts.may_fail_high_by_passing(&self.params, depth)
            && self.ply >= self.null_move_from
            && self.stack.before(self.ply, 1).current_move.is_some()
            && self.position.has_non_pawn_material(self.position.side_to_move());
        if !worthwhile {
            return Ok(());
        }
        let above = eval.units() - beta.units();
        let reduced = depth - formula::null_move_reduction(&self.params, depth, above);
        self.make_null();
        let window = Window::zero_below(beta).negated();
        let score = -self.search::<NonPv>(window, reduced, Expected::AllNode)?;
        self.unmake_null();
        if score < beta {
            return Ok(());
        }
        // A mate found after passing proves no mate.
        let score = if score.is_win() { beta } else { score };
        if self.null_move_from > 0 || depth < self.params.null_verification_depth() {
            return Err(Exit::Return(score));
        }
        self.verify_null_move(beta, reduced, score)
    }

    /// Verification: in zugzwang passing looks better than any move, so with much depth left
    /// the node has to reach beta without null moves too.
    fn verify_null_move(&mut self, beta: Score, reduced: i32, score: Score) -> Step<()> {
        self.null_move_from = self.ply + formula::null_verification_plies(&self.params, reduced);
        // The depth has had its hindsight reduction or extension already.
        let reduction = core::mem::take(&mut self.stack.before_mut(self.ply, 1).reduction);
        let window = Window::zero_below(beta);
        let verified = self.search::<NonPv>(window, reduced, Expected::AllNode)?;
        self.stack.before_mut(self.ply, 1).reduction = reduction;
        self.null_move_from = 0;
        if verified >= beta { Err(Exit::Return(score)) } else { Ok(()) }
    }

    /// ProbCut: a capture that is far above beta in a shallow search will be above beta in a
    /// deep one.
    fn prob_cut(&mut self, facts: &Facts, depth: i32) -> Step<()> {
        let beta = facts.window.beta;
        let margin = formula::probcut(&self.params, facts.improving);
        let target = beta + margin;
        let known_below = |(score, _): (Score, Bound)| score < target;
        if depth < self.params.probcut_depth()
            || beta.units().abs() > self.params.probcut_beta_limit()
            || facts.probe.hit.and_then(|hit| hit.result).is_some_and(known_below)
        {
            return Ok(());
        }
        let needed = target.units() - facts.evaluation.corrected.units();
        let first = facts.probe.tt_move.filter(|mv| mv.is_noisy());
        let first = first.filter(|&mv| self.position.see_at_least(mv, needed));
        let mut picker = Picker::new(Mode::SeeAtLeast(needed), first, None);
        let continuation = continuation_context(self.stack, self.ply);
        while let Some(mv) = self.next_move(&mut picker, &continuation, &Threats::NONE) {
            let reduced = depth - self.params.probcut_reduction();
            let score = self.search_capture(facts, mv, reduced, target)?;
            if score >= target {
                // The capture itself is one ply more than the search after it.
                self.store_prob_cut(facts, mv, reduced + 1, score);
                return Err(Exit::Return(if score.is_decisive() { score } else { score - margin }));
            }
        }
        Ok(())
    }

    /// The score of a capture: by quiescence search, and only if that reaches the target by a
    /// search of this depth.
    fn search_capture(
        &mut self,
        facts: &Facts,
        mv: Move,
        depth: i32,
        target: Score,
    ) -> Step<Score> {
        let window = Window::zero_below(target).negated();
        self.make(mv);
        let mut score = -self.qsearch::<NonPv>(window)?;
        if score >= target {
            score = -self.search::<NonPv>(window, depth, facts.expected.opposite())?;
        }
        self.unmake();
        Ok(score)
    }

    fn store_prob_cut(&self, facts: &Facts, mv: Move, depth: i32, score: Score) {
        let entry = TableEntry {
            result: Some((score, Bound::Lower)),
            evaluation: facts.evaluation.raw,
            best: Some(mv),
            depth,
            principal: facts.tt_pv,
        };
        self.table.store(facts.probe.key, self.ply, &entry, &self.params);
    }
}

/// Pruning of moves.
impl Worker<'_> {
    /// Moves are pruned only once there is a score that is no loss, so that no node seems
    /// to be mate because its moves were left out; and never at the root or in pawn endings.
    #[inline]
    fn may_prune_moves<N: Node>(&self, searched: &Searched) -> bool {
        let us = self.position.side_to_move();
        !N::ROOT && !searched.best_score.is_loss() && self.position.has_non_pawn_material(us)
    }

    /// Late-move pruning: whether enough moves were tried that the remaining quiet ones are
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

    /// Leaves the move out by futility, history or static exchange: gives the score that it would
    /// have at best, minus infinity where that is not estimated; `None` if it is to be searched.
    pub(super) fn pruned_move<N: Node>(
        &self,
        node: &MovesContext<'_>,
        searched: &Searched,
        candidate: &Candidate,
    ) -> Option<Score> {
        if !self.may_prune_moves::<N>(searched) {
            return None;
        }
        // The depth that the move is likely to be searched with first.
        let reduced = (node.depth - 1 - candidate.reduction / PLY).max(0);
        if candidate.mv.is_noisy() {
            self.pruned_noisy(node, searched, candidate, reduced)
        } else {
            self.pruned_quiet(node, searched, candidate, reduced)
        }
    }

    fn pruned_quiet(
        &self,
        node: &MovesContext<'_>,
        searched: &Searched,
        candidate: &Candidate,
        reduced: i32,
    ) -> Option<Score> {
        let params = &self.params;
        if !searched.alpha.is_win()
            && reduced <= params.futility_depth()
            && let Some(score) =
                futile_score(node, searched, candidate, formula::futility(params, reduced))
        {
            return Some(score);
        }
        let bad_history = -params.history_pruning_factor() * node.depth;
        if !candidate.gives_check
            && reduced <= params.history_pruning_depth()
            && candidate.history < bad_history
        {
            return Some(-Score::INFINITE);
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
        let loses = exposed && !self.position.see_at_least(candidate.mv, allowed);
        loses.then_some(-Score::INFINITE)
    }

    fn pruned_noisy(
        &self,
        node: &MovesContext<'_>,
        searched: &Searched,
        candidate: &Candidate,
        reduced: i32,
    ) -> Option<Score> {
        let params = &self.params;
        let captured = self.position.captured_by(candidate.mv);
        let gain = captured.map_or(0, |kind| SEE_VALUES[kind.index()])
            + candidate.history / params.capture_futility_history();
        let margin = formula::capture_futility(params, reduced) + gain;
        if reduced <= params.capture_futility_depth()
            && !candidate.mv.is_promotion()
            && let Some(score) = futile_score(node, searched, candidate, margin)
        {
            return Some(score);
        }
        let allowed = formula::capture_see(params, node.depth, candidate.history);
        (!self.position.see_at_least(candidate.mv, allowed)).then_some(-Score::INFINITE)
    }
}

/// Futility: the sum of the evaluation and a margin, if that does not reach alpha. Checks are never
/// futile.
fn futile_score(
    node: &MovesContext<'_>,
    searched: &Searched,
    candidate: &Candidate,
    margin: i32,
) -> Option<Score> {
    let score = (node.facts.evaluation.corrected + margin).clamp_to_evaluation();
    let is_futile = !node.facts.in_check && !candidate.gives_check && score <= searched.alpha;
    is_futile.then_some(score)
}

#[cfg(test)]
mod tests {
    use tamarin_eval::Evaluator;
    use tamarin_movegen::Position;

    use super::*;
    use crate::limits::Limits;
    use crate::options::SearchOptions;
    use crate::threads::data::ThreadData;
    use crate::threads::shared::SharedState;
    use crate::tt;

    /// The table says that the side to move is mated if the other one passes: that it would be so after
    /// a move too is not proven by it.
    #[test]
    fn a_mate_after_passing_proves_no_mate() {
        let shared = SharedState::of_startpos(Limits::default(), SearchOptions::default(), 1);
        let (position, params, depth) = (Position::startpos(), &shared.request.params, 10);
        let mut passed = position.clone();
        passed.make_null();
        let mated = TableEntry {
            result: Some((Score::mated_in(5), Bound::Exact)),
            evaluation: Some(Score::DRAW),
            best: None,
            depth: 2 * depth,
            principal: false,
        };
        shared.request.table.store(tt::key(&passed, params), 1, &mated, params);
        let beta = Evaluator::new().evaluate(&position, 0) - 20;
        let mut data = ThreadData::of_thread(0);
        let mut worker = Worker::new(&shared, &mut data, None);
        worker.root_depth = depth;
        // After a null move none is tried.
        worker.stack.before_mut(0, 1).current_move = position.legal_moves().first().copied();
        let window = Window::zero_below(beta);
        let score = worker.search::<NonPv>(window, depth, Expected::CutNode);
        assert!(score.is_ok_and(|score| score == beta), "neither a mate nor the score of a move");
        assert!(worker.nodes < 10, "the pass alone decides");
    }
}
