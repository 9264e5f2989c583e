//! Second phase: what the table and the static evaluation know.

use tamarin_eval::Score;
use tamarin_movegen::{Bitboard, Move};

use super::Facts;
use crate::formula::{bonuses, margins};
use crate::history::CorrectionKeys;
use crate::threads::worker::Worker;
use crate::tt::{self, DEPTH_OF_EVALUATION, Hit, TableEntry};
use crate::types::{Exit, Expected, Node, Step, Window};

/// The static evaluation of a node in its three stages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Evaluation {
    /// As the evaluator gives it; `None` in check.
    pub raw: Option<Score>,
    /// Corrected by what was learned of similar positions.
    pub corrected: Score,
    /// Replaced by the table's bound where that says more.
    pub refined: Score,
}

impl Worker<'_> {
    /// Probes the table, returns its score if that decides the node, and evaluates.
    pub(super) fn gather<N: Node>(
        &mut self,
        window: Window,
        depth: i32,
        expected: Expected,
    ) -> Step<Facts> {
        let in_check = self.position.in_check();
        let excluded = self.stack.at(self.ply).excluded;
        let key = tt::key(&self.position, &self.params);
        let hit = self.table.probe(key, self.score_context());
        let table_move = self.table_move::<N>(hit);
        if !N::PV && excluded.is_none() {
            self.cut_by_table((window, depth, expected), hit, table_move)?;
        }
        // The evaluation takes long enough for what comes after it to be fetched.
        if !N::PV && expected == Expected::CutNode && !in_check {
            self.table.prefetch_after_null(&self.position, &self.params);
        }
        let evaluation = self.evaluate_node(hit, in_check);
        if hit.is_none() {
            // Many nodes are pruned without any other result.
            self.remember_evaluation(key, evaluation.raw);
        }
        let principal = match excluded {
            Some(_) => self.stack.at(self.ply).principal,
            None => N::PV || hit.is_some_and(|hit| hit.principal),
        };
        let improving = self.is_improving(in_check, evaluation.corrected);
        let entry = self.stack.at_mut(self.ply);
        entry.static_eval = (!in_check).then_some(evaluation.corrected);
        entry.principal = principal;
        entry.count = 0;
        self.stack.at_mut(self.ply + 1).killer = None;
        self.stack.at_mut(self.ply + 2).cutoffs = 0;
        Ok(Facts {
            key,
            window,
            depth,
            expected,
            hit,
            table_move,
            excluded,
            raw_eval: evaluation.raw,
            static_eval: evaluation.corrected,
            eval: evaluation.refined,
            in_check,
            threats: Bitboard::EMPTY,
            improving,
            principal,
        })
    }

    /// The best move of an earlier search, if it is legal here. At the root it is that of
    /// the line being searched.
    fn table_move<N: Node>(&self, hit: Option<Hit>) -> Option<Move> {
        if N::ROOT {
            return self.root.leader().map(|root_move| root_move.mv);
        }
        hit.and_then(|hit| hit.best).filter(|&mv| self.position.is_legal(mv))
    }

    /// Ends the node with the table's score if that was found deep enough and fits.
    fn cut_by_table(
        &mut self,
        (window, depth, expected): (Window, i32, Expected),
        hit: Option<Hit>,
        table_move: Option<Move>,
    ) -> Step<()> {
        // Close to the fifty-move rule scores depend on the path too much.
        if i32::from(self.position.halfmove_clock()) >= self.params.tt_cutoff_clock() {
            return Ok(());
        }
        let Some(hit) = hit else { return Ok(()) };
        let Some(score) = hit.decides(window.beta) else { return Ok(()) };
        let high = score >= window.beta;
        // An unexpected result is worth a search of its own unless there is little to search.
        let agrees = (expected == Expected::CutNode) == high;
        if hit.depth < depth || !(agrees || depth > self.params.tt_cutoff_depth()) {
            return Ok(());
        }
        if let Some(mv) = table_move.filter(|mv| high && !mv.is_noisy()) {
            let threats = self.position.attacked_by(!self.position.side_to_move());
            self.update_quiet_histories(threats, mv, bonuses::bonus(&self.params, depth));
        }
        Err(Exit::Return(score))
    }

    /// The static evaluation, from the table if it is there; fetches what is known of the
    /// table's move meanwhile. In line, for its result would go through memory.
    #[inline(always)]
    pub(crate) fn evaluate_node(&mut self, hit: Option<Hit>, in_check: bool) -> Evaluation {
        if let Some(mv) = hit.and_then(|hit| hit.best) {
            self.table.prefetch_after(&self.position, mv, &self.params);
        }
        if in_check {
            let score = Score::DRAW;
            return Evaluation { raw: None, corrected: score, refined: score };
        }
        let keys = CorrectionKeys::new(&self.position);
        self.histories.correction.prefetch(&keys);
        let raw = match hit.and_then(|hit| hit.evaluation) {
            Some(raw) => raw,
            None => tamarin_eval::evaluate(&self.position, self.pawn_table),
        };
        let correction = self.histories.correction.value(&self.params, &keys);
        let clock = self.position.halfmove_clock();
        let corrected = margins::corrected(&self.params, raw, correction, clock, self.optimism());
        let mut refined = corrected;
        if let Some((score, bound)) = hit.and_then(|hit| hit.result) {
            let says_more = if score > corrected { bound.is_lower() } else { bound.is_upper() };
            if says_more && !score.is_decisive() {
                refined = score;
            }
        }
        Evaluation { raw: Some(raw), corrected, refined }
    }

    /// Stores the evaluation alone, for a position the table knows nothing of.
    pub(crate) fn remember_evaluation(&self, key: u64, raw: Option<Score>) {
        if raw.is_none() {
            return;
        }
        let entry = TableEntry {
            result: None,
            evaluation: raw,
            best: None,
            depth: DEPTH_OF_EVALUATION,
            principal: false,
        };
        self.table.store(key, self.ply, &entry, &self.params);
    }

    /// Compares with the evaluation two plies ago, or four if that was in check.
    fn is_improving(&self, in_check: bool, now: Score) -> bool {
        if in_check {
            return false;
        }
        let before = |plies| self.stack.before(self.ply, plies).static_eval;
        before(2).or_else(|| before(4)).is_some_and(|then| now > then)
    }
}
