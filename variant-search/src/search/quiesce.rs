//! Quiescence search (qsearch): plays captures out until the position is quiet enough for the static
//! evaluation.

use tamarin_base::types::{Aborted, Evaluation, Exit, Node, Step, Window};
use tamarin_base::{Bound, Score, formula};
use tamarin_variant::Move;

use super::node::Probe;
use super::order::{Mode, ScoredMove};
use super::stack::extend_pv;
use super::worker::{PARAMS, Worker};
use crate::table::{TableEntry, move_code};

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy)]
struct QsearchFacts {
    probe: Probe,
    evaluation: Evaluation,
    /// Whether all moves are tried, to get out of check.
    evades: bool,
    /// The evaluation, which the side to move has by not capturing anything; minus infinity where it
    /// evades.
    stand_pat: Score,
    /// The window, alpha raised to that.
    window: Window,
}

/// The best score and move of a node so far.
#[derive(Clone, Copy)]
struct QsearchResult {
    score: Score,
    best: Option<Move>,
    /// The window, alpha raised to the score.
    window: Window,
}

impl Worker<'_> {
    /// The score of the current position by quiescence search: fail-soft, for the side to move.
    /// `depth` counts its plies so far.
    ///
    /// # Errors
    /// If the search was stopped; then the position is not restored.
    pub fn qsearch<N: Node>(&mut self, window: Window, depth: usize) -> Result<Score, Aborted> {
        match self.qsearch_node::<N>(window, depth) {
            Ok(score) | Err(Exit::Return(score)) => Ok(score),
            Err(Exit::Abort) => Err(Aborted),
        }
    }

    fn qsearch_node<N: Node>(&mut self, window: Window, depth: usize) -> Step<Score> {
        self.check_limits()?;
        if N::PV {
            self.stack.at_mut(self.ply).pv.clear();
            self.selective_depth = self.selective_depth.max(self.ply);
        }
        self.end_by_rule()?;
        if depth >= self.shared.forcing.quiescence_plies {
            return Ok(self.evaluate());
        }
        let facts = self.stand_pat::<N>(window, depth)?;
        let mut result = QsearchResult { score: facts.stand_pat, best: None, window: facts.window };
        self.search_captures::<N>(&facts, &mut result, depth)?;
        let beta = facts.window.beta;
        if result.score >= beta {
            result.score = formula::qsearch_fail_high(&PARAMS, result.score, beta);
        }
        self.store_qsearch(&facts, &result);
        Ok(result.score)
    }

    /// Probes the table for a cutoff, and ends the node if the evaluation is at least beta.
    fn stand_pat<N: Node>(&mut self, mut window: Window, depth: usize) -> Step<QsearchFacts> {
        let key = self.position.key();
        let hit = self.known(key);
        if !N::PV
            && let Some(score) = hit.and_then(|hit| hit.decides(window.beta))
        {
            return Err(Exit::Return(score));
        }
        let probe = Probe { key, hit, tt_move: hit.and_then(|hit| hit.best) };
        let evades = depth < self.shared.forcing.evasion_plies && self.is_check();
        let mut stand_pat = -Score::INFINITE;
        let mut evaluation = self.evaluate_node(&probe, window);
        if !evades {
            if self.is_check() {
                evaluation.refined = self.evaluate();
            }
            stand_pat = evaluation.refined;
            if stand_pat >= window.beta {
                self.store_evaluation(&probe, &evaluation);
                let score = formula::qsearch_fail_high(&PARAMS, stand_pat, window.beta);
                return Err(Exit::Return(score));
            }
            window.alpha = window.alpha.max(stand_pat);
        }
        Ok(QsearchFacts { probe, evaluation, evades, stand_pat, window })
    }

    /// Tries captures and promotions that lose nothing; in check all moves, but of the quiet ones no
    /// more than it takes not to be lost.
    fn search_captures<N: Node>(
        &mut self,
        facts: &QsearchFacts,
        result: &mut QsearchResult,
        depth: usize,
    ) -> Step<()> {
        let mode = if facts.evades { Mode::All } else { Mode::SeeAtLeast(PARAMS.qsearch_see()) };
        let mut picker = self.picker(mode, facts.probe.tt_move, None);
        let danger = self.position.danger();
        let mut count = 0;
        while let Some(it) = picker.next(self) {
            if !self.position.is_legal(it.m, &danger) {
                continue;
            }
            if !facts.evades
                && let Some(bound) = self.pruned_capture(&it, facts, result)
            {
                result.score = result.score.max(bound);
                continue;
            }
            count += 1;
            if self.qsearch_move::<N>(&it, result, depth)? {
                break;
            }
            if facts.evades && !result.score.is_loss() {
                picker.skip_quiets();
            }
        }
        self.recycle(picker);
        if count == 0 && self.is_over(facts) {
            return Err(Exit::Return(self.no_move_score()));
        }
        Ok(())
    }

    /// Whether the side to move, for which no move was tried, has none.
    fn is_over(&self, facts: &QsearchFacts) -> bool {
        facts.evades || !self.position.has_legal_move()
    }

    /// Searches a move and notes its score; says whether the node fails high.
    fn qsearch_move<N: Node>(
        &mut self,
        it: &ScoredMove,
        result: &mut QsearchResult,
        depth: usize,
    ) -> Step<bool> {
        self.make(it);
        let score = -self.qsearch::<N>(result.window.negated(), depth + 1)?;
        self.unmake();
        if score > result.score {
            result.score = score;
            if score > result.window.alpha {
                result.best = Some(it.m);
                if N::PV {
                    extend_pv(&mut self.stack, self.ply, it.m);
                }
                if score >= result.window.beta {
                    return Ok(true);
                }
                result.window.alpha = score;
            }
        }
        Ok(false)
    }

    /// Pruning of captures without check: those that cannot bring the score near alpha. Returns the
    /// score that a pruned capture would have at best, minus infinity where that is not estimated;
    /// `None` for a capture that is to be searched.
    fn pruned_capture(
        &self,
        it: &ScoredMove,
        facts: &QsearchFacts,
        result: &QsearchResult,
    ) -> Option<Score> {
        let alpha = result.window.alpha;
        let last = self.ply.checked_sub(1).and_then(|ply| self.stack.at(ply).current);
        let recapture = last.is_some_and(|last| last.m.to == it.m.to);
        if recapture || result.score.is_loss() {
            return None;
        }
        let base = facts.stand_pat + PARAMS.qsearch_futility();
        let is_futile = base + it.gain() <= alpha;
        let see = PARAMS.qsearch_futility_see();
        if !is_futile && (base > alpha || self.see_at_least(it, see)) {
            return None;
        }
        Some(if is_futile { base + it.gain() } else { -Score::INFINITE })
    }

    fn store_qsearch(&self, facts: &QsearchFacts, result: &QsearchResult) {
        let fails_high = result.score >= facts.window.beta;
        let bound = if fails_high { Bound::Lower } else { Bound::Upper };
        let entry = TableEntry {
            result: Some((result.score, bound)),
            evaluation: facts.evaluation.raw,
            best: result.best.map(move_code),
            depth: 0,
            principal: facts.probe.hit.is_some_and(|hit| hit.principal),
        };
        self.store(facts.probe.key, &entry);
    }
}
