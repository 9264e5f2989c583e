//! What the transposition table, the endgame tablebases and the static evaluation know of a node.

use tamarin_base::node::refined;
use tamarin_base::types::{Exit, Expected, MAX_PLY, Node, Step, Window};
use tamarin_base::{Bound, formula};
use tamarin_eval::Score;

use super::{Evaluation, Facts, Probe, has_known_result};
use crate::history::CorrectionKeys;
use crate::tablebases::Wdl;
use crate::threads::worker::Worker;
use crate::tt::{self, DEPTH_OF_EVALUATION, TableEntry};

impl Worker<'_> {
    /// Looks the node up in the transposition table.
    pub(super) fn probe_table<N: Node>(&self) -> Probe {
        let key = tt::key(&self.position, &self.params);
        let hit = self.table.probe(key, self.score_context());
        let tt_move = if N::ROOT {
            self.root.line_best().map(|root_move| root_move.mv)
        } else {
            hit.and_then(|hit| hit.best).filter(|&mv| self.position.is_legal(mv))
        };
        Probe { key, hit, tt_move }
    }

    /// TT cutoff: ends the node with the table's score if that was found with enough depth
    /// and its bound fits the window. A quiet move that fails high gets its bonus again.
    pub(super) fn try_tt_cutoff(
        &mut self,
        probe: &Probe,
        window: Window,
        depth: i32,
        expected: Expected,
    ) -> Step<()> {
        let Some(hit) = probe.hit else { return Ok(()) };
        // Close to a draw by the fifty-move rule, scores depend on the moves before.
        if hit.depth < depth
            || i32::from(self.position.halfmove_clock()) >= self.params.tt_cutoff_clock()
        {
            return Ok(());
        }
        let Some(score) = hit.decides(window.beta) else { return Ok(()) };
        let fails_high = score >= window.beta;
        let as_expected = (expected == Expected::CutNode) == fails_high;
        if !as_expected && depth <= self.params.tt_cutoff_depth() {
            return Ok(());
        }
        if let Some(mv) = probe.tt_move.filter(|mv| fails_high && !mv.is_noisy()) {
            let threats = self.position.attacked_by(!self.position.side_to_move());
            self.update_quiet_histories(threats, mv, formula::bonus(&self.params, depth));
        }
        let early = self.params.parent_malus_moves() as u32;
        if fails_high && self.stack.before(self.ply, 1).move_count <= early {
            self.update_parent_history(-formula::parent_malus(&self.params, depth));
        }
        Err(Exit::Return(score))
    }

    /// Prefetches the table's entries of the children that come first, to arrive during the
    /// evaluation.
    #[inline]
    pub(super) fn prefetch_children<N: Node>(&self, probe: &Probe, expected: Expected) {
        if !N::PV && expected == Expected::CutNode && !self.position.in_check() {
            self.table.prefetch(tt::key_after_null(&self.position, &self.params));
        }
        self.prefetch_tt_move(probe.hit);
    }

    /// Prefetches the table's entry of the position after the table's move.
    #[inline]
    pub(crate) fn prefetch_tt_move(&self, hit: Option<TableEntry>) {
        if let Some(mv) = hit.and_then(|hit| hit.best) {
            self.table.prefetch(tt::key_after(&self.position, mv, &self.params));
        }
    }

    /// The static evaluation, from the table if it is there.
    ///
    /// In line, for otherwise the result goes through memory: 0.8 % of all instructions.
    #[inline(always)]
    pub(crate) fn evaluate_node(&mut self, hit: Option<TableEntry>) -> Evaluation {
        if self.position.in_check() {
            let score = Score::DRAW;
            return Evaluation { raw: None, corrected: score, refined: score, correction: 0 };
        }
        let keys = self.correction_keys();
        self.histories.correction.prefetch(&keys);
        let raw = match hit.and_then(|hit| hit.evaluation) {
            Some(raw) => raw,
            None => self.evaluator.evaluate(&self.position, self.ply),
        };
        // What the evaluation is sure of has no error to be corrected.
        let correction = if has_known_result(raw) {
            0
        } else {
            self.histories.correction.value(&self.params, &keys)
        };
        let clock = self.position.halfmove_clock();
        let corrected = formula::corrected(&self.params, raw, correction, clock, self.optimism());
        let refined = refined(hit.as_ref(), corrected);
        let correction = formula::correction_units(correction);
        Evaluation { raw: Some(raw), corrected, refined, correction }
    }

    /// Where correction history keeps what it knows of the current position.
    #[inline]
    pub(super) fn correction_keys(&self) -> CorrectionKeys {
        let key = |back| self.stack.before(self.ply, back).continuation_key;
        CorrectionKeys::new(&self.position, key(1), key(2))
    }

    /// Stores the evaluation alone, for a position that is not in the table: many nodes are
    /// pruned and have no other result.
    pub(crate) fn store_evaluation(&self, key: u64, raw: Option<Score>) {
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

    /// Puts together what is known of the node. Changes nothing.
    pub(super) fn gather_facts<N: Node>(
        &self,
        window: Window,
        expected: Expected,
        probe: Probe,
        evaluation: Evaluation,
    ) -> Facts {
        let entry = self.stack.at(self.ply);
        let tt_pv = match entry.excluded_move {
            Some(_) => entry.tt_pv,
            None => N::PV || probe.hit.is_some_and(|hit| hit.principal),
        };
        Facts {
            window,
            expected,
            probe,
            evaluation,
            excluded: entry.excluded_move,
            in_check: evaluation.raw.is_none(),
            improving: self.is_improving(&evaluation),
            tt_pv,
        }
    }

    /// Writes what the nodes below read to the search stack, and clears killer and cutoff count
    /// of the plies below.
    pub(super) fn prepare_stack(&mut self, facts: &Facts) {
        let double_extensions = self.stack.before(self.ply, 1).double_extensions;
        let entry = self.stack.at_mut(self.ply);
        entry.double_extensions = double_extensions;
        entry.static_eval = facts.evaluation.raw.map(|_| facts.evaluation.corrected);
        entry.tt_pv = facts.tt_pv;
        entry.move_count = 0;
        self.stack.at_mut(self.ply + 1).killer = None;
        self.stack.at_mut(self.ply + 2).cutoff_count = 0;
    }

    /// Compares with the evaluation two plies ago, or four if that was in check.
    fn is_improving(&self, evaluation: &Evaluation) -> bool {
        if evaluation.raw.is_none() {
            return false;
        }
        let before = |plies| self.stack.before(self.ply, plies).static_eval;
        before(2).or_else(|| before(4)).is_some_and(|then| evaluation.corrected > then)
    }
}

// Endgame tablebases.

/// A win that the fifty-move rule frustrates is a draw, shown with this score.
const CURSED: i32 = 2;

/// The scores that the tablebases leave to a PV node.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownScores {
    pub min: Score,
    pub max: Score,
}

impl KnownScores {
    /// Nothing is known.
    const ALL: Self = Self { min: Score::new(-Score::INFINITE.units()), max: Score::INFINITE };

    /// The window of a PV node with alpha raised to the least score; of other nodes as it is.
    #[inline(always)]
    pub fn narrow<N: Node>(self, window: Window) -> Window {
        if N::PV { Window { alpha: window.alpha.max(self.min), ..window } } else { window }
    }
}

impl Worker<'_> {
    /// Looks the node up in the tablebases. A result that decides it ends it; in a PV node
    /// others raise alpha or limit the score.
    ///
    /// Probed are nodes below the root right after a capture or pawn move, whose value does not
    /// depend on the fifty-move rule's clock. Source: Stockfish 11.
    #[inline(always)]
    pub(super) fn probe_tablebases<N: Node>(
        &mut self,
        probe: &Probe,
        window: Window,
        depth: i32,
    ) -> Step<KnownScores> {
        if N::ROOT || self.probe_limit == 0 || self.position.halfmove_clock() != 0 {
            return Ok(KnownScores::ALL);
        }
        self.probe_tablebases_now::<N>(probe, window, depth)
    }

    #[cold]
    fn probe_tablebases_now<N: Node>(
        &mut self,
        probe: &Probe,
        window: Window,
        depth: i32,
    ) -> Step<KnownScores> {
        let Some((score, bound)) = self.tablebase_score(depth) else {
            return Ok(KnownScores::ALL);
        };
        self.tablebase_hits += 1;
        // A probe may have had to wait for the disk.
        self.check_clock_next();
        let decides = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        if decides {
            let entry = TableEntry {
                result: Some((score, bound)),
                evaluation: None,
                best: None,
                depth: (depth + self.params.tablebase_store_depth()).min(MAX_PLY as i32 - 1),
                principal: N::PV || probe.hit.is_some_and(|hit| hit.principal),
            };
            self.table.store(probe.key, self.ply, &entry, &self.params);
            return Err(Exit::Return(score));
        }
        Ok(match bound {
            Bound::Lower => KnownScores { min: score, ..KnownScores::ALL },
            _ => KnownScores { max: score, ..KnownScores::ALL },
        })
    }

    /// The value of the node in the tablebases, if it may be probed and is known. A win is a
    /// lower bound, as there may be a mate.
    fn tablebase_score(&self, depth: i32) -> Option<(Score, Bound)> {
        let options = &self.shared.request.options.tablebases;
        let pieces = self.position.occupied().len();
        let at_limit_too_shallow =
            pieces == self.probe_limit && depth < options.probe_depth.min(MAX_PLY as u32) as i32;
        if pieces > self.probe_limit
            || at_limit_too_shallow
            || self.position.castling().any()
            || self.stack.at(self.ply).excluded_move.is_some()
        {
            return None;
        }
        let wdl = self.tablebases.wdl(&self.position)?;
        Some(score_of(wdl, options.fifty_move_rule, self.ply))
    }
}

/// The score of a result `ply` plies from the root, and its bound.
fn score_of(wdl: Wdl, fifty_move_rule: bool, ply: usize) -> (Score, Bound) {
    let win = Score::tablebase_win(ply);
    match (wdl, fifty_move_rule) {
        (Wdl::Win, _) | (Wdl::CursedWin, false) => (win, Bound::Lower),
        (Wdl::Loss, _) | (Wdl::BlessedLoss, false) => (-win, Bound::Upper),
        (Wdl::CursedWin, true) => (Score::new(CURSED), Bound::Exact),
        (Wdl::BlessedLoss, true) => (Score::new(-CURSED), Bound::Exact),
        (Wdl::Draw, _) => (Score::DRAW, Bound::Exact),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cursed_results_are_draws_by_the_fifty_move_rule_and_wins_without_it() {
        let all = [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win];
        for wdl in all {
            for rule in [true, false] {
                let (score, bound) = score_of(wdl, rule, 7);
                let certain = !rule && wdl != Wdl::Draw || matches!(wdl, Wdl::Loss | Wdl::Win);
                assert_eq!(score.is_decisive(), certain, "{wdl:?}");
                assert_eq!(bound == Bound::Exact, !certain, "{wdl:?}");
                assert_eq!(score.units().signum(), (wdl as i32).signum(), "{wdl:?}");
                let negated = score_of(-wdl, rule, 7);
                assert_eq!(negated.0, -score, "{wdl:?}");
            }
        }
        assert!(score_of(Wdl::Win, true, 3).0 > score_of(Wdl::Win, true, 4).0);
    }
}
