//! Quiescence search (qsearch): plays captures out until the position is quiet enough for the
//! static evaluation.

use tamarin_base::Bound;
use tamarin_base::formula;
use tamarin_base::types::{Aborted, Exit, Node, NonPv, Pv, Step, Window};
use tamarin_eval::Score;
use tamarin_movegen::{CheckInfo, Generate, Move, MoveList, SEE_VALUES};

use crate::order::{Mode, Picker};
use crate::stack::continuation_context;
use crate::threads::worker::Worker;
use crate::threats::Threats;
use crate::tt::{self, TableEntry};

/// Whether quiet moves that give check are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum QuietChecks {
    /// In the first node of a quiescence search.
    Tried,
    /// In those below.
    LeftOut,
}

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy)]
struct QsearchFacts {
    key: u64,
    hit: Option<TableEntry>,
    in_check: bool,
    raw_eval: Option<Score>,
    /// The evaluation, which the side to move has by not capturing anything; minus infinity in
    /// check.
    stand_pat: Score,
    /// The window, alpha raised to that.
    window: Window,
}

/// The best score and move of a node so far.
#[derive(Clone, Copy)]
struct QsearchResult {
    score: Score,
    mv: Option<Move>,
    /// The window, alpha raised to the score.
    window: Window,
}

impl Worker<'_> {
    /// The score of the current position by quiescence search: fail-soft, for the side to move.
    ///
    /// # Errors
    /// If the search was stopped; then the position is not restored.
    pub(crate) fn qsearch<N: Node>(&mut self, window: Window) -> Result<Score, Aborted> {
        self.qsearch_with::<N>(window, QuietChecks::Tried)
    }

    fn qsearch_with<N: Node>(
        &mut self,
        window: Window,
        checks: QuietChecks,
    ) -> Result<Score, Aborted> {
        match self.qsearch_node::<N>(window, checks) {
            Ok(score) | Err(Exit::Return(score)) => Ok(score),
            Err(Exit::Abort) => Err(Aborted),
        }
    }

    fn qsearch_node<N: Node>(&mut self, window: Window, checks: QuietChecks) -> Step<Score> {
        self.check_limits()?;
        if N::PV {
            self.pv.clear(self.ply);
            self.selective_depth = self.selective_depth.max(self.ply);
        }
        self.cut_draws()?;
        let window = self.bound_by_repetition(window)?;
        let facts = self.stand_pat::<N>(window)?;
        // No node below the root is one: there is no third copy of this code.
        let mut result = if N::PV {
            self.search_qsearch_moves::<Pv>(&facts, checks)?
        } else {
            self.search_qsearch_moves::<NonPv>(&facts, checks)?
        };
        let beta = facts.window.beta;
        if result.score >= beta {
            result.score = formula::qsearch_fail_high(&self.params, result.score, beta);
        }
        self.store_qsearch(&facts, result);
        Ok(result.score)
    }

    /// Probes the table for a cutoff, and ends the node if the evaluation is at least beta.
    fn stand_pat<N: Node>(&mut self, mut window: Window) -> Step<QsearchFacts> {
        let in_check = self.position.in_check();
        let key = tt::key(&self.position, &self.params);
        let hit = self.table.probe(key, self.score_context());
        if !N::PV
            && let Some(score) = hit.and_then(|hit| hit.decides(window.beta))
        {
            return Err(Exit::Return(score));
        }
        self.prefetch_tt_move(hit);
        let evaluation = self.evaluate_node(hit);
        let mut stand_pat = -Score::INFINITE;
        if !in_check {
            stand_pat = evaluation.refined;
            if stand_pat >= window.beta {
                if hit.is_none() {
                    self.store_evaluation(key, evaluation.raw);
                }
                let score = formula::qsearch_fail_high(&self.params, stand_pat, window.beta);
                return Err(Exit::Return(score));
            }
            window.alpha = window.alpha.max(stand_pat);
        }
        Ok(QsearchFacts { key, hit, in_check, raw_eval: evaluation.raw, stand_pat, window })
    }

    /// Tries the moves of a node: captures, and if asked to, quiet checks after them.
    fn search_qsearch_moves<N: Node>(
        &mut self,
        facts: &QsearchFacts,
        checks: QuietChecks,
    ) -> Step<QsearchResult> {
        let mut result = QsearchResult { score: facts.stand_pat, mv: None, window: facts.window };
        self.search_captures::<N>(facts, &mut result)?;
        if checks == QuietChecks::Tried && !facts.in_check && result.score < facts.window.beta {
            self.search_quiet_checks::<N>(&mut result)?;
        }
        Ok(result)
    }

    /// Tries captures and queen promotions that lose nothing; in check all moves, but of the
    /// quiet ones no more than it takes not to be mated.
    fn search_captures<N: Node>(
        &mut self,
        facts: &QsearchFacts,
        result: &mut QsearchResult,
    ) -> Step<()> {
        let in_check = facts.in_check;
        let mode = if in_check { Mode::All } else { Mode::SeeAtLeast(self.params.qsearch_see()) };
        let tt_move = facts.hit.and_then(|hit| hit.best);
        let usable = |mv: &Move| (in_check || mv.is_noisy()) && self.position.is_legal(*mv);
        let mut picker = Picker::new(mode, tt_move.filter(usable), None);
        let continuation = continuation_context(self.stack, self.ply);
        let threats = if in_check {
            Threats::by(&self.position, !self.position.side_to_move())
        } else {
            Threats::NONE
        };
        let mut checks = None;
        let mut count = 0;
        while let Some(mv) = self.next_move(&mut picker, &continuation, &threats) {
            if !in_check
                && let Some(bound) = self.pruned_capture(mv, facts, count, result, &mut checks)
            {
                result.score = result.score.max(bound);
                continue;
            }
            count += 1;
            if self.qsearch_move::<N>(mv, result)? {
                return Ok(());
            }
            if in_check && !result.score.is_loss() {
                picker.skip_quiets();
            }
        }
        if count == 0 && in_check {
            result.score = Score::mated_in(self.ply);
        }
        Ok(())
    }

    /// Tries quiet moves that give check and lose nothing.
    fn search_quiet_checks<N: Node>(&mut self, result: &mut QsearchResult) -> Step<()> {
        let mut quiets = MoveList::new();
        self.position.generate(Generate::Quiet, &mut quiets);
        let checks = self.position.check_info();
        for &mv in &quiets {
            let is_tried = self.position.gives_check_with(mv, &checks)
                && self.position.see_at_least(mv, self.params.qsearch_check_see());
            if is_tried && self.qsearch_move::<N>(mv, result)? {
                break;
            }
        }
        Ok(())
    }

    /// Searches a move and notes its score; says whether the node fails high.
    fn qsearch_move<N: Node>(&mut self, mv: Move, result: &mut QsearchResult) -> Step<bool> {
        self.make(mv);
        let window = result.window.negated();
        let score = -self.qsearch_with::<N>(window, QuietChecks::LeftOut)?;
        self.unmake();
        if score > result.score {
            result.score = score;
            if score > result.window.alpha {
                result.mv = Some(mv);
                if N::PV {
                    self.pv.extend(self.ply, mv);
                }
                if score >= result.window.beta {
                    return Ok(true);
                }
                result.window.alpha = score;
            }
        }
        Ok(false)
    }

    /// Pruning of captures without check: those after the first few and those that cannot bring
    /// the score near alpha. Returns the score that a pruned capture would have at best, minus
    /// infinity where that is not estimated; `None` for a capture that is to be searched.
    fn pruned_capture(
        &self,
        mv: Move,
        facts: &QsearchFacts,
        count: u32,
        result: &QsearchResult,
        checks: &mut Option<CheckInfo>,
    ) -> Option<Score> {
        let alpha = result.window.alpha;
        let last = self.stack.before(self.ply, 1).current_move;
        let recapture = last.is_some_and(|last| last.to() == mv.to());
        if recapture || mv.is_promotion() || result.score.is_loss() {
            return None;
        }
        let captured = self.position.captured_by(mv);
        let gain = captured.map_or(0, |kind| SEE_VALUES[kind.index()]);
        let base = facts.stand_pat + self.params.qsearch_futility();
        let is_late = count as i32 >= self.params.qsearch_moves();
        let is_futile = base + gain <= alpha;
        let see = self.params.qsearch_futility_see();
        if !is_late && !is_futile && (base > alpha || self.position.see_at_least(mv, see)) {
            return None;
        }
        let checks = checks.get_or_insert_with(|| self.position.check_info());
        if self.position.gives_check_with(mv, checks) {
            return None;
        }
        Some(if is_futile && !is_late { base + gain } else { -Score::INFINITE })
    }

    fn store_qsearch(&self, facts: &QsearchFacts, result: QsearchResult) {
        let fails_high = result.score >= facts.window.beta;
        let bound = if fails_high { Bound::Lower } else { Bound::Upper };
        let entry = TableEntry {
            result: Some((result.score, bound)),
            evaluation: facts.raw_eval,
            best: result.mv,
            depth: 0,
            principal: facts.hit.is_some_and(|hit| hit.principal),
        };
        self.table.store(facts.key, self.ply, &entry, &self.params);
    }
}
