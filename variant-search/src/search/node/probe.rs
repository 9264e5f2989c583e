//! What the transposition table and the static evaluation know of a node.

use tamarin_base::node::refined;
use tamarin_base::tt::ScoreContext;
use tamarin_base::types::{Exit, Expected, Node, Step, Window};
use tamarin_base::{Score, formula};

use super::{Evaluation, Facts, Probe};
use crate::search::history::CorrectionKeys;
use crate::search::worker::{PARAMS, Worker};
use crate::table::{TableEntry, move_code};

impl Worker<'_> {
    /// Looks the node up in the transposition table.
    pub(super) fn probe_table<N: Node>(&self) -> Probe {
        let key = self.position.key();
        let hit = self.known(key);
        let tt_move = if N::ROOT {
            let best = self.best.as_ref().and_then(|(_, pv)| pv.first());
            best.map(|&m| move_code(m))
        } else {
            hit.and_then(|hit| hit.best)
        };
        Probe { key, hit, tt_move }
    }

    /// TT cutoff: ends the node with the table's score if that was found with enough depth and its
    /// bound fits the window.
    pub(super) fn try_tt_cutoff(
        &self,
        probe: &Probe,
        window: Window,
        depth: i32,
        expected: Expected,
    ) -> Step<()> {
        let Some(hit) = probe.hit else { return Ok(()) };
        let enough = if self.full_width() { hit.depth == depth } else { hit.depth >= depth };
        let Some(score) = hit.decides(window.beta).filter(|_| enough) else { return Ok(()) };
        let as_expected = (expected == Expected::CutNode) == (score >= window.beta);
        let shallow = depth <= PARAMS.tt_cutoff_depth() && !self.full_width();
        if !as_expected && shallow { Ok(()) } else { Err(Exit::Return(score)) }
    }

    /// The static evaluation, from the table if it is there.
    pub fn evaluate_node(&mut self, probe: &Probe, window: Window) -> Evaluation {
        if self.is_check() {
            let score = Score::DRAW;
            return Evaluation { raw: None, corrected: score, refined: score, correction: 0 };
        }
        let known = probe.hit.and_then(|hit| hit.evaluation);
        if known.is_none()
            && let Some(rough) = self.evaluate_roughly(window)
        {
            return Evaluation { raw: None, corrected: rough, refined: rough, correction: 0 };
        }
        let raw = known.unwrap_or_else(|| self.evaluate());
        let keys = self.correction_keys();
        let correction = self.histories.correction.value(&PARAMS, &keys);
        let corrected = formula::corrected(&PARAMS, raw, correction, 0, 0);
        let refined = refined(probe.hit.as_ref(), corrected);
        let correction = formula::correction_units(correction);
        Evaluation { raw: Some(raw), corrected, refined, correction }
    }

    /// Where correction history keeps what it knows of the current position.
    pub(super) fn correction_keys(&self) -> CorrectionKeys {
        let key = |back| self.stack.before(self.ply, back).continuation_key;
        let structure = self.stack.at(self.ply).structure;
        CorrectionKeys::new(self.position.side_to_move(), structure, key(1), key(2))
    }

    /// Stores the evaluation alone, for a position that is not in the table: many nodes are pruned
    /// and have no other result.
    pub fn store_evaluation(&self, probe: &Probe, evaluation: &Evaluation) {
        if probe.hit.is_some() || evaluation.raw.is_none() {
            return;
        }
        let evaluation = evaluation.raw;
        let entry = TableEntry { result: None, evaluation, best: None, depth: 0, principal: false };
        self.store(probe.key, &entry);
    }

    /// What the table knows of the current position.
    pub fn known(&self, key: u64) -> Option<TableEntry> {
        self.shared.table?.probe(key, ScoreContext::at(self.ply))
    }

    /// Stores an entry of the current position.
    pub fn store(&self, key: u64, entry: &TableEntry) {
        if let Some(table) = self.shared.table {
            table.store(key, self.ply, entry, &PARAMS);
        }
    }

    /// Puts together what is known of the node.
    pub(super) fn gather_facts<N: Node>(
        &mut self,
        window: Window,
        expected: Expected,
        probe: Probe,
        evaluation: Evaluation,
    ) -> Facts {
        let in_check = self.is_check();
        self.store_evaluation(&probe, &evaluation);
        let entry = self.stack.at(self.ply);
        let tt_pv = match entry.excluded_move {
            Some(_) => entry.tt_pv,
            None => N::PV || probe.hit.is_some_and(|hit| hit.principal),
        };
        let improving = !in_check && self.is_improving(&evaluation);
        let excluded = entry.excluded_move;
        Facts { window, expected, probe, evaluation, excluded, in_check, improving, tt_pv }
    }

    /// Writes what the nodes below read to the search stack, and clears killer and cutoff count of
    /// the plies below.
    pub(super) fn prepare_stack(&mut self, facts: &Facts) {
        let entry = self.stack.at_mut(self.ply);
        entry.static_eval = (!facts.in_check).then_some(facts.evaluation.corrected);
        entry.tt_pv = facts.tt_pv;
        entry.move_count = 0;
        self.stack.at_mut(self.ply + 1).killer = None;
        self.stack.at_mut(self.ply + 2).cutoff_count = 0;
    }

    /// Compares with the evaluation two plies ago, or four if that was in check.
    fn is_improving(&self, evaluation: &Evaluation) -> bool {
        let before = |plies| self.stack.before(self.ply, plies).static_eval;
        before(2).or_else(|| before(4)).is_some_and(|then| evaluation.corrected > then)
    }
}
