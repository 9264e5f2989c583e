//! Third phase: giving a node up, or taking it as won, without trying its moves.

use tamarin_eval::Score;
use tamarin_movegen::{Bitboard, Move};

use super::Facts;
use crate::formula::margins;
use crate::order::{Mode, Picker, Scorer};
use crate::threads::worker::Worker;
use crate::tt::{Bound, TableEntry};
use crate::types::{Exit, Expected, Node, NonPv, Step, Window};

impl Worker<'_> {
    /// Ends the node if its score can be told well enough, or changes its depth.
    pub(super) fn prune_node<N: Node>(&mut self, facts: &mut Facts) -> Step<()> {
        if !N::PV && !facts.in_check && facts.excluded.is_none() {
            self.razor(facts)?;
            self.reverse_futility(facts)?;
            self.try_null_move(facts)?;
        }
        if facts.excluded.is_none() {
            facts.depth -= self.internal_reduction::<N>(facts);
            if !N::PV && !facts.in_check {
                self.prob_cut(facts)?;
            }
        }
        Ok(())
    }

    /// Razoring: so far below alpha with so little depth left that only a capture could
    /// help; if none does, the node is lost.
    fn razor(&mut self, facts: &Facts) -> Step<()> {
        let alpha = facts.window.alpha;
        let hopeless = facts.depth <= self.params.razor_depth()
            && !alpha.is_decisive()
            && facts.eval + margins::razor(&self.params, facts.depth) <= alpha;
        if !hopeless {
            return Ok(());
        }
        let score = self.quiesce::<NonPv>(facts.window)?;
        if score <= alpha { Err(Exit::Return(score)) } else { Ok(()) }
    }

    /// Reverse futility: so far above beta that the rest of the depth will not bring it down.
    fn reverse_futility(&self, facts: &Facts) -> Step<()> {
        let beta = facts.window.beta;
        if facts.principal
            || facts.depth > self.params.reverse_futility_depth()
            || beta.is_loss()
            || facts.eval.is_decisive()
        {
            return Ok(());
        }
        let margin = margins::reverse_futility(&self.params, facts.depth, facts.improving);
        if facts.eval - margin < beta {
            return Ok(());
        }
        Err(Exit::Return(margins::reverse_futility_score(&self.params, facts.eval, beta)))
    }

    /// Null move: if passing is good enough, some move will be.
    fn try_null_move(&mut self, facts: &Facts) -> Step<()> {
        let beta = facts.window.beta;
        let margin = margins::null_move(&self.params, facts.depth);
        let worthwhile = facts.expected == Expected::CutNode
            && facts.eval >= beta
            && facts.static_eval + margin >= beta
            && !beta.is_loss()
            && self.ply >= self.null_move_from
            && self.stack.before(self.ply, 1).current.is_some()
            && self.position.has_non_pawn_material(self.position.side_to_move());
        if !worthwhile {
            return Ok(());
        }
        let lead = facts.eval.units() - beta.units();
        let depth = facts.depth - margins::null_move_reduction(&self.params, facts.depth, lead);
        self.make_null();
        let score =
            -self.search::<NonPv>(Window::zero_below(beta).negated(), depth, Expected::AllNode)?;
        self.unmake_null();
        if score < beta {
            return Ok(());
        }
        // A mate found after passing proves no mate.
        let score = if score.is_win() { beta } else { score };
        if self.null_move_from > 0 || facts.depth < self.params.null_verification_depth() {
            return Err(Exit::Return(score));
        }
        self.verify_null_move(beta, depth, score)
    }

    /// Zugzwang makes passing look too good: deep cuts have to stand without it.
    fn verify_null_move(&mut self, beta: Score, depth: i32, score: Score) -> Step<()> {
        self.null_move_from = self.ply + margins::null_verification_plies(&self.params, depth);
        let verified = self.search::<NonPv>(Window::zero_below(beta), depth, Expected::AllNode)?;
        self.null_move_from = 0;
        if verified >= beta { Err(Exit::Return(score)) } else { Ok(()) }
    }

    /// Internal reduction: a node the table knows no move for was not important before,
    /// and its moves will be tried in a bad order.
    fn internal_reduction<N: Node>(&self, facts: &Facts) -> i32 {
        let deep = facts.depth >= self.params.iir_depth();
        let relevant = N::PV || facts.expected == Expected::CutNode;
        if deep && relevant && facts.table_move.is_none() { self.params.iir_reduction() } else { 0 }
    }

    /// ProbCut: if a capture is far above beta in a shallow search, it will be above beta
    /// in a deep one.
    fn prob_cut(&mut self, facts: &Facts) -> Step<()> {
        let beta = facts.window.beta;
        let margin = margins::probcut(&self.params, facts.improving);
        let target = beta + margin;
        let known_below = |(score, _): (Score, Bound)| score < target;
        if facts.depth < self.params.probcut_depth()
            || beta.is_decisive()
            || facts.hit.and_then(|hit| hit.result).is_some_and(known_below)
        {
            return Ok(());
        }
        let needed = target.units() - facts.static_eval.units();
        let past = self.stack.continuation_context(self.ply);
        let first = facts.table_move.filter(|mv| mv.is_noisy());
        let first = first.filter(|&mv| self.position.see_at_least(mv, needed));
        let mut picker = Picker::new(Mode::SeeAtLeast(needed), first, None);
        loop {
            let scorer = Scorer {
                params: &self.params,
                position: &self.position,
                histories: &self.histories,
                past: &past,
                threats: Bitboard::EMPTY,
                table: self.table,
            };
            let Some(mv) = picker.next(&scorer) else { return Ok(()) };
            let score = self.probe_capture(facts, mv, target)?;
            if score >= target {
                self.remember_prob_cut(facts, mv, score);
                return Err(Exit::Return(if score.is_decisive() { score } else { score - margin }));
            }
        }
    }

    /// The score of a capture, looked at with ever more depth as long as it is good.
    fn probe_capture(&mut self, facts: &Facts, mv: Move, target: Score) -> Step<Score> {
        let window = Window::zero_below(target).negated();
        self.make(mv);
        let mut score = -self.quiesce::<NonPv>(window)?;
        if score >= target {
            score = -self.search::<NonPv>(
                window,
                facts.depth - self.params.probcut_reduction(),
                facts.expected.opposite(),
            )?;
        }
        self.unmake();
        Ok(score)
    }

    fn remember_prob_cut(&self, facts: &Facts, mv: Move, score: Score) {
        let entry = TableEntry {
            result: Some((score, Bound::Lower)),
            evaluation: facts.raw_eval,
            best: Some(mv),
            // The capture itself is one ply more than its search.
            depth: facts.depth - self.params.probcut_reduction() + 1,
            principal: facts.principal,
        };
        self.table.store(facts.key, self.ply, &entry, &self.params);
    }
}
