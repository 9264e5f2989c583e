//! What a node leaves behind: its score, histories, and an entry in the table.

use tamarin_base::types::Node;
use tamarin_base::{Bound, Score, formula};

use super::{Facts, MovesContext, Searched};
use crate::search::order::ScoredMove;
use crate::search::stack::context;
use crate::search::worker::{PARAMS, Worker};
use crate::table::{TableEntry, move_code};

impl Worker<'_> {
    /// Settles the score of the node, updates the histories and stores the result.
    pub(super) fn finish_node<N: Node>(
        &mut self,
        node: &MovesContext<'_>,
        searched: &Searched,
    ) -> Score {
        let facts = node.facts;
        if searched.count == 0 {
            return self.score_without_moves(facts);
        }
        let bound = searched.bound::<N>(facts.window.beta);
        if let Some(it) = &searched.best_move {
            self.update_histories(node, searched, it);
            if bound == Bound::Lower {
                self.stack.at_mut(self.ply).cutoff_count += 1;
                if self.stack.before(self.ply, 1).move_count == 1 {
                    let malus = formula::parent_malus(&PARAMS, node.depth);
                    self.update_parent_history(-malus);
                }
            }
        }
        if bound == Bound::Upper {
            self.update_parent_history(formula::parent_bonus(&PARAMS, node.depth));
        }
        // What some root moves are worth says nothing about the position.
        let is_partial = N::ROOT && (self.is_restricted || !self.taken.is_empty());
        if facts.excluded.is_none() && !is_partial {
            self.update_correction_history(node, searched, bound);
            let entry = TableEntry {
                result: Some((searched.best_score, bound)),
                evaluation: facts.evaluation.raw,
                best: searched.best_move.map(|it| move_code(it.m)),
                depth: node.depth,
                principal: facts.tt_pv,
            };
            self.store(facts.probe.key, &entry);
        }
        searched.best_score
    }

    /// The end of the game, or no move but the one that a singular search leaves out.
    fn score_without_moves(&self, facts: &Facts) -> Score {
        match facts.excluded {
            Some(_) => facts.window.alpha,
            None => self.no_move_score(),
        }
    }

    /// A bonus for the move that raised alpha, a malus for those tried in vain: for quiet ones only
    /// if the good move is quiet too.
    fn update_histories(&mut self, node: &MovesContext<'_>, searched: &Searched, it: &ScoredMove) {
        let excess = searched.best_score.units() - node.facts.window.beta.units();
        let far_above = i32::from(excess >= PARAMS.bonus_margin());
        let bonus = formula::bonus(&PARAMS, node.depth + far_above);
        let malus = formula::malus(&PARAMS, node.depth);
        if it.is_noisy() {
            self.update_capture_history(it, bonus);
        } else {
            self.stack.at_mut(self.ply).killer = Some(it.m);
            self.update_quiet_histories(node, it, bonus);
            for other in &searched.other_quiets {
                self.update_quiet_histories(node, other, -malus);
            }
        }
        for other in &searched.other_noisies {
            self.update_capture_history(other, -malus);
        }
    }

    fn update_quiet_histories(&mut self, node: &MovesContext<'_>, it: &ScoredMove, bonus: i32) {
        let moved = self.piece_to(it.m);
        self.histories.update_quiet(&node.context, it.m, moved, bonus);
    }

    fn update_capture_history(&mut self, it: &ScoredMove, bonus: i32) {
        let captured = it.noise.and_then(|noise| noise.captured);
        self.histories.update_capture(self.piece_to(it.m), captured, bonus);
    }

    /// Updates the continuation history of the quiet move that led to this node: good if all answers
    /// failed low, bad if one failed high.
    fn update_parent_history(&mut self, bonus: i32) {
        let Some(ply) = self.ply.checked_sub(1) else { return };
        let Some(played) = self.stack.at(ply).current.filter(|played| !played.noisy) else {
            return;
        };
        let context = context(&self.stack, ply);
        self.histories.continuation.update(&context, played.moved, bonus);
    }

    /// Updates the continuation history of a quiet move, just made, whose reduced search was above
    /// alpha, by what the second search gave.
    pub(super) fn update_after_reduction(
        &mut self,
        node: &MovesContext<'_>,
        it: &ScoredMove,
        score: Score,
    ) {
        let window = node.facts.window;
        let bonus = if score >= window.beta {
            formula::bonus(&PARAMS, node.depth)
        } else if score <= window.alpha {
            -formula::malus(&PARAMS, node.depth)
        } else {
            return;
        };
        let played = self.stack.before(self.ply, 1).current;
        if let Some(played) = played.filter(|_| !it.is_noisy()) {
            self.histories.continuation.update(&node.context, played.moved, bonus);
        }
    }

    /// Updates the correction history by how far the score is from the static evaluation, if the
    /// position is quiet and the score's bound proves the difference.
    fn update_correction_history(
        &mut self,
        node: &MovesContext<'_>,
        searched: &Searched,
        bound: Bound,
    ) {
        let evaluation = &node.facts.evaluation;
        let (score, static_eval) = (searched.best_score, evaluation.corrected);
        let noisy = searched.best_move.is_some_and(|it| it.is_noisy());
        let proven = if score > static_eval { bound.is_lower() } else { bound.is_upper() };
        if evaluation.raw.is_none() || noisy || !proven || score.is_decisive() {
            return;
        }
        let error = score.units() - static_eval.units();
        let keys = self.correction_keys();
        let bonus = formula::correction(&PARAMS, error, node.depth);
        self.histories.correction.update(&keys, bonus);
    }
}
