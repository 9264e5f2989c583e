//! Last phase: what a node leaves behind.

use tamarin_eval::Score;
use tamarin_movegen::{Bitboard, Move};

use super::Facts;
use super::loop_moves::Best;
use crate::formula::bonuses;
use crate::history::CorrectionKeys;
use crate::threads::worker::Worker;
use crate::tt::{Bound, TableEntry};
use crate::types::Node;

impl Worker<'_> {
    /// Settles the score, teaches the histories, and tells the table.
    pub(super) fn learn<N: Node>(&mut self, facts: &Facts, best: &Best) -> Score {
        if best.count == 0 {
            return self.score_without_moves(facts);
        }
        let bound = match best.mv {
            Some(_) if best.score >= facts.window.beta => Bound::Lower,
            Some(_) if N::PV => Bound::Exact,
            _ => Bound::Upper,
        };
        if let Some(mv) = best.mv {
            self.update_histories(facts, best, mv);
            if bound == Bound::Lower {
                self.stack.at_mut(self.ply).cutoffs += 1;
            }
        }
        if facts.excluded.is_none() {
            self.update_correction(facts, best, bound);
            // The best move of one of several lines is not that of the position.
            if !N::ROOT || self.root.line() == 0 {
                let entry = TableEntry {
                    result: Some((best.score, bound)),
                    evaluation: facts.raw_eval,
                    best: best.mv,
                    depth: facts.depth,
                    principal: facts.principal,
                };
                self.table.store(facts.key, self.ply, &entry, &self.params);
            }
        }
        best.score
    }

    /// Mate, stalemate, or nothing but the move that was left out.
    fn score_without_moves(&self, facts: &Facts) -> Score {
        if facts.excluded.is_some() {
            facts.window.alpha
        } else if facts.in_check {
            Score::mated_in(self.ply)
        } else {
            Score::DRAW
        }
    }

    fn update_histories(&mut self, facts: &Facts, best: &Best, mv: Move) {
        let bonus = bonuses::bonus(&self.params, facts.depth);
        let malus = bonuses::malus(&self.params, facts.depth);
        if mv.is_noisy() {
            self.update_capture_history(mv, bonus);
        } else {
            self.stack.at_mut(self.ply).killer = Some(mv);
            self.update_quiet_histories(facts.threats, mv, bonus);
            for &other in &best.quiets {
                self.update_quiet_histories(facts.threats, other, -malus);
            }
        }
        for &other in &best.noisies {
            self.update_capture_history(other, -malus);
        }
    }

    /// Rewards a quiet move of the current node, or punishes it.
    pub(super) fn update_quiet_histories(&mut self, threats: Bitboard, mv: Move, bonus: i32) {
        let piece = self.position.moved_piece(mv);
        let past = self.stack.continuation_context(self.ply);
        self.histories.quiet.of(piece.color()).update(threats, mv, bonus);
        self.histories.continuation.update(&past, piece, mv.to(), bonus);
    }

    fn update_capture_history(&mut self, mv: Move, bonus: i32) {
        let piece = self.position.moved_piece(mv);
        let captured = self.position.captured_by(mv);
        self.histories.capture.update(piece, mv.to(), captured, bonus);
    }

    /// A reduced move that was just searched again, and is one ply up, proved better or
    /// worse than thought.
    pub(super) fn update_after_research(&mut self, facts: &Facts, mv: Move, score: Score) {
        let bonus = if score >= facts.window.beta {
            bonuses::bonus(&self.params, facts.depth)
        } else if score <= facts.window.alpha {
            -bonuses::malus(&self.params, facts.depth)
        } else {
            return;
        };
        if mv.is_noisy() {
            return;
        }
        let past = self.stack.continuation_context(self.ply - 1);
        let Some(piece) = self.position.piece_at(mv.to()) else { return };
        self.histories.continuation.update(&past, piece, mv.to(), bonus);
    }

    /// The static evaluation was wrong by so much: only quiet positions count, and only
    /// if the score proves the error.
    fn update_correction(&mut self, facts: &Facts, best: &Best, bound: Bound) {
        let noisy = best.mv.is_some_and(Move::is_noisy);
        let proves =
            if best.score > facts.static_eval { bound.is_lower() } else { bound.is_upper() };
        if facts.in_check || noisy || !proves || best.score.is_decisive() {
            return;
        }
        let error = best.score.units() - facts.static_eval.units();
        let keys = CorrectionKeys::new(&self.position);
        self.histories
            .correction
            .update(&keys, bonuses::correction(&self.params, error, facts.depth));
    }
}
