//! Iterative deepening with aspiration windows.

use tamarin_base::Millis;
use tamarin_variant::Move;

use super::worker::{Step, Window, Worker};
use crate::limits::Limits;
use crate::score::{MAX_PLY, WIN, is_decisive};

/// From this depth on the window is narrow at first.
const ASPIRATION_DEPTH: i32 = 5;
const ASPIRATION_WIDTH: i32 = 30;

/// A finished iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Iteration {
    pub depth: u32,
    pub score: i32,
    pub pv: Vec<Move>,
}

/// When a thread stops deepening.
pub(super) struct Goal<'a> {
    pub limits: &'a Limits,
    pub soft: Option<Millis>,
}

impl Worker<'_> {
    /// Searches deeper and deeper, and calls `report` after every iteration. The result is the last
    /// finished iteration, or the unfinished one if that has found another best move.
    pub(super) fn iterate(
        &mut self,
        goal: &Goal<'_>,
        mut report: impl FnMut(&Self, &Iteration),
    ) -> Option<Iteration> {
        let most = goal.limits.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32 - 1);
        let mut last: Option<Iteration> = None;
        let mut stability = 0;
        for depth in 1..=most {
            self.root_depth = depth as i32;
            self.selective_depth = 0;
            let before = last.as_ref().map(|iteration| iteration.score);
            self.best = self.best.take().filter(|_| depth > 1);
            let outcome = self.aspire(depth as i32, before);
            let Some((score, pv)) = self.best.clone() else { break };
            let iteration = Iteration { depth, score, pv };
            if outcome.is_err() {
                // The best line of the unfinished iteration begins with its best move so far.
                let depth = last.as_ref().map_or(1, |last| last.depth);
                return Some(Iteration { depth, ..iteration });
            }
            report(self, &iteration);
            let same = last.as_ref().is_some_and(|last| last.pv.first() == iteration.pv.first());
            stability = if same { stability + 1 } else { 0 };
            last = Some(iteration);
            if self.is_enough(goal, last.as_ref(), stability) {
                break;
            }
        }
        last
    }

    /// One iteration: the window widens until the score is inside.
    fn aspire(&mut self, depth: i32, before: Option<i32>) -> Step<()> {
        let narrow = before.filter(|&score| depth >= ASPIRATION_DEPTH && !is_decisive(score));
        let mut width = ASPIRATION_WIDTH;
        let (mut alpha, mut beta) = match narrow {
            Some(score) if !self.is_full_width() => (score - width, score + width),
            _ => (-WIN, WIN),
        };
        loop {
            let score = self.node(Window { alpha, beta }, depth, 0)?;
            width *= 3;
            if score <= alpha && alpha > -WIN {
                alpha = if width > 1000 { -WIN } else { score.max(width - WIN) - width };
            } else if score >= beta && beta < WIN {
                beta = if width > 1000 { WIN } else { score.min(WIN - width) + width };
            } else {
                return Ok(());
            }
        }
    }

    fn is_enough(&self, goal: &Goal<'_>, last: Option<&Iteration>, stability: u32) -> bool {
        let Some(last) = last else { return false };
        let proven = goal
            .limits
            .mate
            .is_some_and(|moves| last.score > WIN - 2 * moves.min(MAX_PLY as u32) as i32);
        let signals = self.shared.signals;
        if signals.stopped() || proven {
            return true;
        }
        // A thread that helps goes on until it is stopped.
        let Some(soft) = goal.soft.filter(|_| self.number == 0) else { return false };
        // A best move that stays the same needs less time.
        let factor = [140, 110, 95, 85, 75, 70][stability.min(5) as usize];
        let forced = self.root_moves.len() == 1;
        signals.clock() >= if forced { soft.scaled(1, 20) } else { soft.scaled(factor, 100) }
    }
}
