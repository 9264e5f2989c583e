//! The search of captures that settles a position before it is judged.

use tamarin_eval::Score;
use tamarin_movegen::{Bitboard, Move, SEE_VALUES};

use crate::order::{Mode, Picker, Scorer};
use crate::threads::worker::Worker;
use crate::tt::{self, Bound, Hit, TableEntry};
use crate::types::{Aborted, Exit, Node, NonPv, Pv, Step, Window};

/// What is known of a leaf before its moves are tried.
#[derive(Clone, Copy)]
struct Leaf {
    key: u64,
    hit: Option<Hit>,
    in_check: bool,
    raw_eval: Option<Score>,
    /// What the side to move is sure of: the best of evaluation and window.
    best: Score,
    window: Window,
}

/// What came of a leaf.
#[derive(Clone, Copy)]
struct Found {
    score: Score,
    mv: Option<Move>,
}

impl Worker<'_> {
    /// The score of the current position once the captures are played out.
    ///
    /// # Errors
    /// If the search was stopped; then the position is not restored.
    pub(crate) fn quiesce<N: Node>(&mut self, window: Window) -> Result<Score, Aborted> {
        match self.visit_leaf::<N>(window) {
            Ok(score) | Err(Exit::Return(score)) => Ok(score),
            Err(Exit::Abort) => Err(Aborted),
        }
    }

    fn visit_leaf<N: Node>(&mut self, window: Window) -> Step<Score> {
        self.check_limits()?;
        if N::PV {
            self.pv.clear(self.ply);
            self.selective_depth = self.selective_depth.max(self.ply);
        }
        self.cut_draws()?;
        let window = self.bound_by_repetition(window)?;
        let leaf = self.stand_pat::<N>(window)?;
        let found = if N::PV {
            self.try_captures::<Pv>(&leaf)?
        } else {
            self.try_captures::<NonPv>(&leaf)?
        };
        self.remember_leaf(&leaf, found, window.beta);
        Ok(found.score)
    }

    /// Probes the table, and takes the evaluation for the score if that is good enough:
    /// the side to move need not capture anything.
    fn stand_pat<N: Node>(&mut self, window: Window) -> Step<Leaf> {
        let in_check = self.position.in_check();
        let key = tt::key(&self.position, &self.params);
        let hit = self.table.probe(key, self.score_context());
        if !N::PV
            && let Some(score) = hit.and_then(|hit| hit.decides(window.beta))
        {
            return Err(Exit::Return(score));
        }
        let evaluation = self.evaluate_node(hit, in_check);
        let mut leaf =
            Leaf { key, hit, in_check, raw_eval: evaluation.raw, best: -Score::INFINITE, window };
        if !in_check {
            leaf.best = evaluation.refined;
            if leaf.best >= window.beta {
                if hit.is_none() {
                    self.remember_evaluation(key, leaf.raw_eval);
                }
                return Err(Exit::Return(leaf.best));
            }
            leaf.window.alpha = window.alpha.max(leaf.best);
        }
        Ok(leaf)
    }

    fn try_captures<N: Node>(&mut self, leaf: &Leaf) -> Step<Found> {
        let mode =
            if leaf.in_check { Mode::All } else { Mode::SeeAtLeast(self.params.qsearch_see()) };
        let table_move = leaf.hit.and_then(|hit| hit.best);
        let usable = |mv: &Move| (leaf.in_check || mv.is_noisy()) && self.position.is_legal(*mv);
        let mut picker = Picker::new(mode, table_move.filter(usable), None);
        let past = self.stack.continuation_context(self.ply);
        let mut found = Found { score: leaf.best, mv: None };
        let mut window = leaf.window;
        let mut count = 0;
        loop {
            let scorer = Scorer {
                params: &self.params,
                position: &self.position,
                histories: &self.histories,
                past: &past,
                threats: Bitboard::EMPTY,
                table: self.table,
            };
            let Some(mv) = picker.next(&scorer) else { break };
            if !leaf.in_check && self.is_futile(mv, leaf, count, &mut found, window.alpha) {
                continue;
            }
            count += 1;
            self.make(mv);
            let score = -self.quiesce::<N>(window.negated())?;
            self.unmake();
            if score > found.score {
                found.score = score;
                if score > window.alpha {
                    found.mv = Some(mv);
                    if N::PV {
                        self.pv.extend(self.ply, mv);
                    }
                    if score >= window.beta {
                        break;
                    }
                    window.alpha = score;
                }
            }
            if leaf.in_check && !found.score.is_loss() {
                // One way out is enough; the quiet ones are many.
                picker.skip_quiets();
            }
        }
        if count == 0 && leaf.in_check {
            found.score = Score::mated_in(self.ply);
        }
        Ok(found)
    }

    /// Whether a capture cannot bring the score near alpha, or comes too late to matter.
    /// What it could have brought at best stays in the score found.
    fn is_futile(
        &self,
        mv: Move,
        leaf: &Leaf,
        count: u32,
        found: &mut Found,
        alpha: Score,
    ) -> bool {
        let last = self.stack.before(self.ply, 1).current;
        let recapture = last.is_some_and(|last| last.to() == mv.to());
        if recapture || mv.is_promotion() || found.score.is_loss() {
            return false;
        }
        if count as i32 >= self.params.qsearch_moves() {
            return true;
        }
        let captured = self.position.captured_by(mv);
        let gain = captured.map_or(0, |kind| SEE_VALUES[kind.index()]);
        let hoped = leaf.best + self.params.qsearch_futility();
        if hoped + gain <= alpha {
            found.score = found.score.max(hoped + gain);
            return true;
        }
        hoped <= alpha && !self.position.see_at_least(mv, self.params.qsearch_futility_see())
    }

    fn remember_leaf(&self, leaf: &Leaf, found: Found, beta: Score) {
        let bound = if found.score >= beta { Bound::Lower } else { Bound::Upper };
        let entry = TableEntry {
            result: Some((found.score, bound)),
            evaluation: leaf.raw_eval,
            best: found.mv,
            depth: 0,
            principal: leaf.hit.is_some_and(|hit| hit.principal),
        };
        self.table.store(leaf.key, self.ply, &entry, &self.params);
    }
}
