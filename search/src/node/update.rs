//! What a node leaves behind: its score, histories, and an entry in the table.

use tamarin_base::Bound;
use tamarin_base::formula;
use tamarin_base::types::Node;
use tamarin_eval::Score;
use tamarin_movegen::{Bitboard, Move, Piece};

use super::{Facts, MovesContext, Searched, has_known_result};
use crate::stack::continuation_context;
use crate::threads::worker::Worker;
use crate::tt::TableEntry;

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
        if let Some(mv) = searched.best_move {
            self.update_histories(node, searched, mv);
            if bound == Bound::Lower {
                self.stack.at_mut(self.ply).cutoff_count += 1;
                if self.stack.before(self.ply, 1).move_count == 1 {
                    let malus = formula::parent_malus(&self.params, node.depth);
                    self.update_parent_history(-malus);
                }
            }
        }
        if bound == Bound::Upper {
            self.update_parent_history(formula::parent_bonus(&self.params, node.depth));
        }
        if facts.excluded.is_none() && !(N::ROOT && self.root.is_restricted()) {
            self.update_correction_history(node, searched, bound);
            // The best move of the second line of MultiPV is not that of the position.
            if !N::ROOT || self.root.line() == 0 {
                let entry = TableEntry {
                    result: Some((searched.best_score, bound)),
                    evaluation: facts.evaluation.raw,
                    best: searched.best_move,
                    depth: node.depth,
                    principal: facts.tt_pv,
                };
                self.table.store(facts.probe.key, self.ply, &entry, &self.params);
            }
        }
        searched.best_score
    }

    /// Mate, stalemate, or no move but the one that a singular search leaves out.
    fn score_without_moves(&self, facts: &Facts) -> Score {
        if facts.excluded.is_some() {
            facts.window.alpha
        } else if facts.in_check {
            Score::mated_in(self.ply)
        } else {
            Score::DRAW
        }
    }

    /// A bonus for the move that raised alpha, a malus for those tried in vain: for quiet ones
    /// only if the good move is quiet too.
    fn update_histories(&mut self, node: &MovesContext<'_>, searched: &Searched, mv: Move) {
        let excess = searched.best_score.units() - node.facts.window.beta.units();
        let far_above = i32::from(excess >= self.params.bonus_margin());
        let bonus = formula::bonus(&self.params, node.depth + far_above);
        let malus = formula::malus(&self.params, node.depth);
        if mv.is_noisy() {
            self.update_capture_history(mv, bonus);
        } else {
            self.stack.at_mut(self.ply).killer = Some(mv);
            self.update_quiet_histories(node.threats.all, mv, bonus);
            for &other in &searched.other_quiets {
                self.update_quiet_histories(node.threats.all, other, -malus);
            }
        }
        for &other in &searched.other_noisies {
            self.update_capture_history(other, -malus);
        }
    }

    /// Updates quiet, continuation and pawn history of a move of the current node.
    pub(super) fn update_quiet_histories(&mut self, threats: Bitboard, mv: Move, bonus: i32) {
        let piece = self.position.moved_piece(mv);
        let continuation = continuation_context(self.stack, self.ply);
        self.histories.quiet.of(piece.color()).update(threats, mv, bonus);
        self.histories.continuation.update(&continuation, piece, mv.to(), bonus);
        self.histories.pawn.row(self.position.pawn_key()).update(piece, mv.to(), bonus);
    }

    fn update_capture_history(&mut self, mv: Move, bonus: i32) {
        let piece = self.position.moved_piece(mv);
        let captured = self.position.captured_by(mv);
        self.histories.capture.update(piece, mv.to(), captured, bonus);
    }

    /// Updates the continuation history of the quiet move that led to this node: good if all
    /// answers failed low, bad if one failed high.
    pub(super) fn update_parent_history(&mut self, bonus: i32) {
        let Some((mv, piece)) = self.parent_quiet_move() else { return };
        let continuation = continuation_context(self.stack, self.ply - 1);
        self.histories.continuation.update(&continuation, piece, mv.to(), bonus);
    }

    /// Updates the quiet history of the move that led to this node by how much better or worse
    /// the evaluation is than before it.
    pub(super) fn update_parent_by_evaluation(&mut self, facts: &Facts) {
        if facts.in_check || facts.excluded.is_some() {
            return;
        }
        let Some((mv, piece)) = self.parent_quiet_move() else { return };
        let parent = self.stack.before(self.ply, 1);
        let (threats, Some(before)) = (parent.threats, parent.static_eval) else { return };
        let worse = before.units() + facts.evaluation.corrected.units();
        let bonus = formula::evaluation_change(&self.params, -worse);
        self.histories.quiet.of(piece.color()).update(threats, mv, bonus);
    }

    /// The move that led to this node and the piece that made it, unless it was noisy, castling
    /// or a null move; `None` at the root.
    fn parent_quiet_move(&self) -> Option<(Move, Piece)> {
        let ply = self.ply.checked_sub(1)?;
        let mv = self.stack.at(ply).current_move?;
        if mv.is_noisy() || mv.is_castle() {
            return None;
        }
        Some((mv, self.position.piece_at(mv.to())?))
    }

    /// Updates the continuation history of a quiet move, just made, whose reduced search was
    /// above alpha, by what the second search gave.
    pub(super) fn update_after_reduction(
        &mut self,
        node: &MovesContext<'_>,
        alpha: Score,
        mv: Move,
        score: Score,
    ) {
        let bonus = if score >= node.facts.window.beta {
            formula::bonus(&self.params, node.depth)
        } else if score <= alpha {
            -formula::malus(&self.params, node.depth)
        } else {
            return;
        };
        if mv.is_noisy() {
            return;
        }
        let Some(piece) = self.position.piece_at(mv.to()) else { return };
        self.histories.continuation.update(&node.continuation, piece, mv.to(), bonus);
    }

    /// Updates the correction history by how far the score is from the static evaluation, if
    /// the position is quiet, its result not known and the score's bound proves the difference.
    fn update_correction_history(
        &mut self,
        node: &MovesContext<'_>,
        searched: &Searched,
        bound: Bound,
    ) {
        let (score, static_eval) = (searched.best_score, node.facts.evaluation.corrected);
        let noisy = searched.best_move.is_some_and(Move::is_noisy);
        let proven = if score > static_eval { bound.is_lower() } else { bound.is_upper() };
        let known = node.facts.evaluation.raw.is_none_or(has_known_result);
        if known || noisy || !proven || score.is_decisive() {
            return;
        }
        let error = score.units() - static_eval.units();
        let keys = self.correction_keys();
        let bonus = formula::correction(&self.params, error, node.depth);
        self.histories.correction.update(&keys, bonus);
    }
}
