//! One node of the tree: its steps in order, and what they hand on to each other.
//!
//! `docs/search.md` describes each technique and what it is worth.

mod moves;
mod probe;
mod prune;
mod update;

use tamarin_base::node;
use tamarin_base::types::{Aborted, Evaluation, Exit, Expected, MAX_PLY, Node, Step, Window};
use tamarin_eval::Score;
use tamarin_movegen::Move;

use crate::history::ContinuationContext;
use crate::stack::continuation_context;
use crate::threads::worker::Worker;
use crate::threats::Threats;

impl Worker<'_> {
    /// The score of the current position: fail-soft, for the side to move.
    ///
    /// # Errors
    /// If the search was stopped; then the position is not restored.
    pub fn search<N: Node>(
        &mut self,
        window: Window,
        depth: i32,
        expected: Expected,
    ) -> Result<Score, Aborted> {
        if depth <= 0 {
            return self.qsearch::<N>(window);
        }
        match self.search_node::<N>(window, depth, expected) {
            Ok(score) | Err(Exit::Return(score)) => Ok(score),
            Err(Exit::Abort) => Err(Aborted),
        }
    }

    fn search_node<N: Node>(
        &mut self,
        window: Window,
        depth: i32,
        expected: Expected,
    ) -> Step<Score> {
        let window = self.bound_window::<N>(window)?;
        let probe = self.probe_table::<N>();
        if !N::PV && self.stack.at(self.ply).excluded_move.is_none() {
            self.try_tt_cutoff(&probe, window, depth, expected)?;
        }
        let known = self.probe_tablebases::<N>(&probe, window, depth)?;
        let window = known.narrow::<N>(window);
        self.prefetch_children::<N>(&probe, expected);
        let evaluation = self.evaluate_node(probe.hit);
        if probe.hit.is_none() {
            self.store_evaluation(probe.key, evaluation.raw);
        }
        let facts = self.gather_facts::<N>(window, expected, probe, evaluation);
        self.update_parent_by_evaluation(&facts);
        self.prepare_stack(&facts);
        let depth = self.prune_node::<N>(&facts, depth)?;
        let node = MovesContext {
            facts: &facts,
            depth,
            threats: Threats::by(&self.position, !self.position.side_to_move()),
            continuation: continuation_context(self.stack, self.ply),
        };
        self.stack.at_mut(self.ply).threats = node.threats.all;
        let mut searched = Searched::new(facts.window.alpha);
        if N::PV {
            searched.best_score = known.min;
        }
        self.search_moves::<N>(&node, &mut searched)?;
        if N::PV {
            searched.best_score = searched.best_score.min(known.max);
        }
        Ok(self.finish_node::<N>(&node, &searched))
    }
}

/// What ends a node before anything is looked up: limits, draws, and the bounds that a possible
/// repetition and the distance to mate set.
impl Worker<'_> {
    /// Stops the search if it is time, recognizes draws, and narrows the window to the
    /// scores that are possible at this ply.
    fn bound_window<N: Node>(&mut self, window: Window) -> Step<Window> {
        self.check_limits()?;
        if N::PV {
            self.pv.clear(self.ply);
            self.selective_depth = self.selective_depth.max(self.ply);
        }
        if N::ROOT {
            return Ok(window);
        }
        self.cut_draws()?;
        let window = self.bound_by_repetition(window)?;
        self.bound_by_mate(window)
    }

    /// Draws by the rules, and the end of the line at [`MAX_PLY`]. Blocked pawns, which make a dead
    /// position too, would cost more to look for at every node than they are worth.
    pub(crate) fn cut_draws(&mut self) -> Step<()> {
        let position = &self.position;
        if position.is_repetition(self.ply)
            || position.is_fifty_move_draw()
            || position.is_insufficient_material()
        {
            return Err(Exit::Return(self.draw_score()));
        }
        if self.ply >= MAX_PLY {
            return Err(Exit::Return(self.score_at_max_ply()));
        }
        Ok(())
    }

    #[cold]
    fn score_at_max_ply(&mut self) -> Score {
        if self.position.in_check() {
            return self.draw_score();
        }
        self.evaluator.evaluate(&self.position, self.ply)
    }

    /// Upcoming repetition: a side that can repeat a position with its next move has at least a
    /// draw.
    pub(crate) fn bound_by_repetition(&mut self, mut window: Window) -> Step<Window> {
        if window.alpha < Score::DRAW && self.position.has_upcoming_repetition(self.ply) {
            let draw = self.draw_score();
            window.alpha = window.alpha.max(draw);
            if window.alpha >= window.beta {
                return Err(Exit::Return(window.alpha));
            }
        }
        Ok(window)
    }

    /// Mate-distance pruning: from here no score is worse than being mated now or better
    /// than giving mate with the next move.
    fn bound_by_mate(&mut self, window: Window) -> Step<Window> {
        let alpha = window.alpha.max(Score::mated_in(self.ply));
        let beta = window.beta.min(Score::mate_in(self.ply + 1));
        if alpha >= beta { Err(Exit::Return(alpha)) } else { Ok(Window { alpha, beta }) }
    }
}

type Probe = node::Probe<Move>;
type Facts = node::Facts<Move, Move>;
type Searched = node::Searched<Move>;

/// Whether the evaluator knows the result, as of king and pawn against king. An estimate of exactly
/// 0 cannot be told from a known draw and counts as one.
fn has_known_result(raw: Score) -> bool {
    raw == Score::DRAW || raw.units().abs() >= Score::KNOWN_WIN.units()
}

/// What all moves of a node share.
#[derive(Clone, Copy, Debug)]
struct MovesContext<'f> {
    pub facts: &'f Facts,
    /// The depth left, internal iterative reduction taken off.
    pub depth: i32,
    /// What the opponent attacks.
    pub threats: Threats,
    /// The moves before this node.
    pub continuation: ContinuationContext,
}

/// A move after the first one of a node: what pruning and late-move reductions depend on.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    pub mv: Move,
    /// The sum of its histories.
    pub history: i32,
    /// Its late-move reduction by depth, count and history alone, in 1/1024 ply.
    pub reduction: i32,
    /// Whether it is the killer of this ply.
    pub killer: bool,
    pub gives_check: bool,
}
