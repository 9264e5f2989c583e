//! Pruning: of whole nodes, whose score is returned without trying their moves or whose depth is
//! reduced, and of moves, which are left out without a search.

use tamarin_base::formula::{self, PLY};
use tamarin_base::types::{Exit, Expected, Node, NonPv, Step, Window};
use tamarin_base::{Bound, Score};

use super::{Candidate, Facts, MovesContext, Searched};
use crate::search::order::Mode;
use crate::search::worker::{PARAMS, Worker};
use crate::table::{TableEntry, move_code};

/// With fewer pieces besides the royal ones, passing might be the best move of all: neither null move
/// nor reverse futility then say what the position is worth.
const ZUGZWANG_PIECES: usize = 4;

/// Quiet moves are pruned by count and futility up to this depth. By hand.
const SHALLOW: i32 = 5;

/// Pruning of whole nodes.
impl Worker<'_> {
    /// Ends the node if its score is known well enough; gives the depth to search it with if not.
    pub(super) fn prune_node<N: Node>(&mut self, facts: &Facts, depth: i32) -> Step<i32> {
        if facts.excluded.is_some() {
            return Ok(depth);
        }
        let parent = self.stack.before(self.ply, 1);
        let (before, reduction) = (parent.static_eval, parent.reduction);
        let depth = depth + facts.hindsight::<N>(&PARAMS, depth, before, reduction);
        let may_prune = !N::PV && !facts.in_check && !facts.window.beta.is_decisive();
        if may_prune {
            self.reverse_futility(facts, depth)?;
            self.try_null_move(facts, depth)?;
        }
        let iir = facts.internal_iterative_reduction::<N>(&PARAMS, depth);
        let depth = if N::ROOT { depth } else { depth - iir };
        if may_prune {
            self.prob_cut(facts, depth)?;
        }
        Ok(depth)
    }

    /// Reverse futility pruning, unless passing might be the best move.
    fn reverse_futility(&self, facts: &Facts, depth: i32) -> Step<()> {
        let before = self.stack.before(self.ply, 1).static_eval;
        let score = facts.reverse_futility(&PARAMS, depth, before);
        score.filter(|_| self.may_pass()).map_or(Ok(()), |score| Err(Exit::Return(score)))
    }

    /// Null-move pruning: if passing is good enough, some move will be.
    fn try_null_move(&mut self, facts: &Facts, depth: i32) -> Step<()> {
        let (eval, beta) = (facts.evaluation.refined, facts.window.beta);
        let worthwhile = facts.may_fail_high_by_passing(&PARAMS, depth)
            && self.ply >= self.null_move_from
            && self.stack.before(self.ply, 1).current.is_some()
            && self.may_pass();
        if !worthwhile {
            return Ok(());
        }
        let above = eval.units() - beta.units();
        let reduced = depth - formula::null_move_reduction(&PARAMS, depth, above);
        self.make_null();
        let window = Window::zero_below(beta).negated();
        let score = -self.search::<NonPv>(window, reduced, Expected::AllNode)?;
        self.unmake();
        if score < beta {
            return Ok(());
        }
        // A win found after passing proves no win.
        let score = if score.is_win() { beta } else { score };
        if self.null_move_from > 0 || depth < PARAMS.null_verification_depth() {
            return Err(Exit::Return(score));
        }
        self.verify_null_move(beta, reduced, score)
    }

    /// Whether no royal piece is attacked, and the side to move has enough others that a move is
    /// likely to be better than a pass.
    fn may_pass(&self) -> bool {
        let side = self.position.side_to_move();
        let pieces = self.position.side(side).minus(self.position.royals(side)).len();
        !self.stack.at(self.ply).in_check && pieces >= ZUGZWANG_PIECES
    }

    /// Verification: in zugzwang passing looks better than any move, so with much depth left the
    /// node has to reach beta without null moves too.
    fn verify_null_move(&mut self, beta: Score, reduced: i32, score: Score) -> Step<()> {
        self.null_move_from = self.ply + formula::null_verification_plies(&PARAMS, reduced);
        // The depth has had its hindsight reduction or extension already.
        let reduction = core::mem::take(&mut self.stack.before_mut(self.ply, 1).reduction);
        let window = Window::zero_below(beta);
        let verified = self.search::<NonPv>(window, reduced, Expected::AllNode)?;
        self.stack.before_mut(self.ply, 1).reduction = reduction;
        self.null_move_from = 0;
        if verified >= beta { Err(Exit::Return(score)) } else { Ok(()) }
    }

    /// ProbCut: a capture that is far above beta in a shallow search will be above beta in a deep
    /// one.
    fn prob_cut(&mut self, facts: &Facts, depth: i32) -> Step<()> {
        let beta = facts.window.beta;
        let margin = formula::probcut(&PARAMS, facts.improving);
        let target = beta + margin;
        let known_below = |(score, _): (Score, Bound)| score < target;
        if depth < PARAMS.probcut_depth()
            || target.is_decisive()
            || facts.probe.hit.and_then(|hit| hit.result).is_some_and(known_below)
        {
            return Ok(());
        }
        let needed = target.units() - facts.evaluation.corrected.units();
        let mut picker = self.picker(Mode::SeeAtLeast(needed), facts.probe.tt_move, None);
        let danger = self.position.danger();
        let mut proven = None;
        while let Some(it) = picker.next(self) {
            if !self.position.is_legal(it.m, &danger) {
                continue;
            }
            let reduced = depth - PARAMS.probcut_reduction();
            let window = Window::zero_below(target).negated();
            self.make(&it);
            let mut score = -self.qsearch::<NonPv>(window, 0)?;
            if score >= target {
                score = -self.search::<NonPv>(window, reduced, facts.expected.opposite())?;
            }
            self.unmake();
            if score >= target {
                proven = Some((it, reduced + 1, score));
                break;
            }
        }
        self.recycle(picker);
        let Some((it, depth, score)) = proven else { return Ok(()) };
        let entry = TableEntry {
            result: Some((score, Bound::Lower)),
            evaluation: facts.evaluation.raw,
            best: Some(move_code(it.m)),
            depth,
            principal: facts.tt_pv,
        };
        self.store(facts.probe.key, &entry);
        Err(Exit::Return(if score.is_decisive() { score } else { score - margin }))
    }
}

/// Pruning of moves. Checks are not pruned: whether a move gives check is known once it is made.
impl Worker<'_> {
    /// Moves are pruned only once there is a score that is no loss, so that no node seems to be lost
    /// because its moves were left out; and never at the root.
    #[inline]
    fn may_prune_moves<N: Node>(&self, searched: &Searched) -> bool {
        !N::ROOT && !searched.best_score.is_loss()
    }

    /// Whether to leave a move out unless it gives check: by count, futility, history or static
    /// exchange.
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
        if candidate.it.is_noisy() {
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
        let facts = node.facts;
        // Late-move pruning.
        let count = formula::late_move_count(&PARAMS, node.depth, facts.improving);
        if node.depth <= SHALLOW && searched.tried > count {
            return true;
        }
        let futile = !facts.in_check
            && !searched.alpha.is_win()
            && node.depth <= SHALLOW
            && facts.evaluation.corrected + formula::futility(&PARAMS, reduced) <= searched.alpha;
        let bad_history = -PARAMS.history_pruning_factor() * node.depth;
        futile
            || (reduced <= PARAMS.history_pruning_depth() && candidate.history < bad_history)
            || !self.see_at_least(&candidate.it, formula::quiet_see(&PARAMS, reduced))
    }

    fn prunes_noisy(
        &self,
        node: &MovesContext<'_>,
        searched: &Searched,
        candidate: &Candidate,
        reduced: i32,
    ) -> bool {
        let facts = node.facts;
        let gain = candidate.it.gain() + candidate.history / PARAMS.capture_futility_history();
        let futile = !facts.in_check
            && reduced <= PARAMS.capture_futility_depth()
            && facts.evaluation.corrected + formula::capture_futility(&PARAMS, reduced) + gain
                <= searched.alpha;
        let allowed = formula::capture_see(&PARAMS, node.depth, candidate.history);
        futile || !self.see_at_least(&candidate.it, allowed)
    }
}
