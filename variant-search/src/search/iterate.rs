//! Iterative deepening with aspiration windows.

use std::cmp::Reverse;

use tamarin_base::types::{Aborted, Expected, Root, Window};
use tamarin_base::{Millis, Score, TimeFactors, formula};
use tamarin_variant::Move;

use super::worker::{PARAMS, Worker};
use crate::limits::Limits;
use crate::score::{MAX_PLY, WIN};

/// A finished iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Iteration {
    pub depth: u32,
    /// The deepest ply reached.
    pub selective_depth: u32,
    pub score: Score,
    pub pv: Vec<Move>,
}

type Progress = tamarin_base::Progress<Option<Move>>;

/// When a thread stops deepening.
pub(super) struct Goal<'a> {
    pub limits: &'a Limits,
    pub soft: Option<Millis>,
}

impl Worker<'_> {
    /// Searches deeper and deeper, and calls `report` with the lines of every iteration, best first.
    /// The result is the best of the last finished iteration, or what the first line of an
    /// unfinished one has found.
    pub(super) fn iterate(
        &mut self,
        goal: &Goal<'_>,
        mut report: impl FnMut(&Self, &[Iteration]),
    ) -> Option<Iteration> {
        let most = goal.limits.depth.unwrap_or(MAX_PLY as u32).clamp(1, MAX_PLY as u32 - 1);
        let count = goal.limits.lines.clamp(1, self.root_moves.len());
        let mut last: Vec<Iteration> = Vec::new();
        let mut progress = Progress::default();
        for depth in 1..=most {
            let mut lines: Vec<Iteration> = Vec::new();
            self.taken.clear();
            while lines.len() < count {
                match self.search_line(depth, &last) {
                    Ok(line) => {
                        self.taken.extend(line.pv.first());
                        lines.push(line);
                    }
                    Err(unfinished) => {
                        let found = lines.into_iter().next().or(unfinished);
                        return found.or_else(|| last.into_iter().next());
                    }
                }
            }
            // A later search may have seen more than an earlier one.
            lines.sort_by_key(|line| Reverse(line.score));
            report(self, &lines);
            let enough = self.is_enough(goal, &lines[0], &mut progress);
            last = lines;
            if enough {
                break;
            }
        }
        last.into_iter().next()
    }

    /// Searches the best line without the first moves of those before. It was the best one left of
    /// the last iteration so far.
    ///
    /// # Errors
    /// What an unfinished search has found: its best line begins with its best move so far.
    fn search_line(
        &mut self,
        depth: u32,
        last: &[Iteration],
    ) -> Result<Iteration, Option<Iteration>> {
        let is_left = |line: &&Iteration| line.pv.first().is_none_or(|m| !self.taken.contains(m));
        let before = last.iter().find(is_left);
        self.root_depth = depth as i32;
        self.selective_depth = 0;
        self.best = before.map(|line| (line.score, line.pv.clone()));
        let outcome = self.aspirate(before.map(|line| line.score));
        let (score, pv) = self.best.clone().ok_or(None)?;
        let selective_depth = self.selective_depth.min(MAX_PLY) as u32;
        let iteration = Iteration { depth, selective_depth, score, pv };
        match outcome {
            Ok(()) => Ok(iteration),
            Err(Aborted) => {
                let depth = before.map_or(1, |before| before.depth);
                Err(Some(Iteration { depth, ..iteration }))
            }
        }
    }

    /// One iteration: searches the root with an aspiration window about the score before, which is
    /// widened and searched again as long as it fails low or high.
    fn aspirate(&mut self, before: Option<Score>) -> Result<(), Aborted> {
        let mut width = PARAMS.aspiration_width();
        let mut window = match before {
            Some(middle)
                if self.root_depth >= PARAMS.aspiration_depth()
                    && !middle.is_decisive()
                    && !self.full_width() =>
            {
                Window { alpha: middle - width, beta: middle + width }
            }
            _ => Window::FULL,
        };
        loop {
            self.root_width = window.beta.units() - window.alpha.units();
            let score = self.search::<Root>(window, self.root_depth, Expected::AllNode)?;
            if score <= window.alpha && window.alpha > Window::FULL.alpha {
                window.beta = formula::aspiration_fail_low(&PARAMS, window);
                window.alpha = (score - width).max(Window::FULL.alpha);
            } else if score >= window.beta && window.beta < Window::FULL.beta {
                window.beta = (score + width).min(Window::FULL.beta);
            } else {
                return Ok(());
            }
            width += width * PARAMS.aspiration_growth() / 1024 - width + 1;
            if score.is_decisive() {
                width = Score::INFINITE.units();
            }
        }
    }

    fn is_enough(&self, goal: &Goal<'_>, last: &Iteration, progress: &mut Progress) -> bool {
        let proven = goal.limits.mate.is_some_and(|moves| {
            last.score.units().abs() >= WIN - 2 * moves.min(MAX_PLY as u32) as i32
        });
        let signals = self.shared.signals;
        if signals.stopped() || proven {
            return true;
        }
        let best = last.pv.first().copied();
        let fall = progress.update(best, last.score);
        // A thread that helps goes on until it is stopped.
        let Some(soft) = goal.soft.filter(|_| self.number == 0) else { return false };
        let at = self.root_moves.iter().position(|&m| Some(m) == best);
        let best_nodes = at.map_or(0, |at| self.root_nodes[at]);
        let factors = TimeFactors {
            effort: best_nodes * 1024 / self.root_nodes.iter().sum::<u64>().max(1),
            stability: progress.stability,
            fall,
            fall_since_last_search: 0,
        };
        let factor = if self.root_moves.len() == 1 { 51 } else { factors.factor(&PARAMS) };
        signals.clock() >= soft.scaled(factor, 1024)
    }
}
