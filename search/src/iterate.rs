//! Iterative deepening: deeper and deeper, each time with what the last time taught.

use tamarin_eval::{Score, UciScore};

use crate::MAX_DEPTH;
use crate::formula::margins;
use crate::limits::Millis;
use crate::options::Reports;
use crate::root::RootMove;
use crate::threads::shared::{LineIndex, ThreadResult};
use crate::threads::worker::Worker;
use crate::time::TimeFactors;
use crate::tt::Bound;
use crate::types::{Aborted, Expected, Root, Window};

/// Before this time the bounds of unfinished windows are nobody's concern.
const PATIENCE: Millis = Millis::new(3000);

/// How deep a forced move is looked at when a clock is running.
const FORCED_DEPTH: u32 = 8;

/// What the time management remembers from one iteration to the next.
#[derive(Default)]
struct Progress {
    best: Option<tamarin_movegen::Move>,
    stability: u32,
}

impl Worker<'_> {
    /// Searches until a limit is reached; gives the best lines found.
    pub fn iterate(&mut self, lines: usize) -> ThreadResult {
        let lines = lines.min(self.root.all().len());
        let last = self.last_iteration();
        let mut finished = 0;
        let mut reported = false;
        let mut settled = Vec::new();
        let mut progress = Progress::default();
        let thread = self.thread;
        for depth in (1..=last).filter(|&depth| depth == last || takes_part(thread, depth)) {
            self.root_depth = depth as i32;
            self.root.begin_iteration();
            reported = false;
            if self.search_lines(lines).is_err() {
                self.keep_what_is_certain(lines, settled);
                break;
            }
            finished = depth;
            reported = self.report_lines(finished, lines);
            self.wake_helpers();
            if self.is_main() && self.is_enough(depth, &mut progress) {
                break;
            }
            settled = self.root.all()[..lines].to_vec();
        }
        self.shared.node_counter(self.thread).publish(self.nodes);
        self.outcome(finished, lines, reported)
    }

    /// An iteration was cut short. What it knows of the best line stands if that is exact,
    /// or if it is a better move than the last iteration's; else that one's lines return.
    fn keep_what_is_certain(&mut self, lines: usize, settled: Vec<RootMove>) {
        let (Some(now), Some(then)) = (self.root.best(), settled.first()) else { return };
        let (bound, score) = (now.bound, now.score.unwrap_or(Score::DRAW));
        let other = now.mv != then.mv;
        match bound {
            Bound::Exact if lines == 1 => {}
            Bound::Lower if lines == 1 && other => {
                // At least so good; a win that was not followed to its end is no mate yet.
                let score = score.clamp_to_evaluation();
                self.root.settle_first(score);
            }
            _ => self.root.restore(settled),
        }
    }

    /// The iteration after which there is none.
    fn last_iteration(&self) -> u32 {
        // The helpers go on until the leading thread has seen enough.
        let limit = self.shared.limits.depth.filter(|_| self.is_main());
        let wanted = limit.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH));
        self.shared.skill.map_or(wanted, |skill| wanted.min(skill.depth()))
    }

    /// One iteration: the best lines, each without the moves that lead the ones before.
    fn search_lines(&mut self, lines: usize) -> Result<(), Aborted> {
        for line in 0..lines {
            self.root.begin_line(line);
            self.selective_depth = 0;
            let result = self.aspirate();
            self.root.sort_line();
            self.root.sort_settled();
            result?;
        }
        Ok(())
    }

    /// Searches the root in a narrow window about the score expected, and again in a wider
    /// one as long as the score is outside.
    fn aspirate(&mut self) -> Result<(), Aborted> {
        let average = self.root.leader().and_then(|leader| leader.average);
        let optimism = average
            .filter(|_| self.shared.options.optimism)
            .map_or(0, |score| margins::optimism(&self.params, score));
        self.full_optimism = self.shared.contempt() + optimism;
        let mut width = self.params.aspiration_width();
        let mut window = match average {
            Some(middle) if self.root_depth >= self.params.aspiration_depth() => {
                around(middle, width)
            }
            _ => Window::FULL,
        };
        let mut reduction = 0;
        loop {
            self.root.begin_window();
            let depth = (self.root_depth - reduction).max(1);
            let score = self.search::<Root>(window, depth, Expected::AllNode)?;
            self.root.sort_line();
            if score <= window.alpha {
                window.beta = margins::aspiration_fail_low(&self.params, window);
                window.alpha = around(score, width).alpha;
                reduction = 0;
            } else if score >= window.beta {
                window.beta = around(score, width).beta;
                reduction += self.params.aspiration_fail_high();
            } else {
                return Ok(());
            }
            self.report_bound();
            width += width * self.params.aspiration_growth() / 1024 - width + 1;
            if score.is_decisive() {
                width = Score::INFINITE.units();
            }
        }
    }

    /// Whether it is not worth beginning another iteration.
    fn is_enough(&mut self, depth: u32, progress: &mut Progress) -> bool {
        let Some(best) = self.root.best() else { return true };
        let score = best.score.unwrap_or(Score::DRAW);
        if let Some(wanted) = self.shared.limits.mate.filter(|&moves| moves > 0)
            && let UciScore::MateIn(moves) = score.to_uci()
            && moves <= wanted
        {
            return true;
        }
        if self.soft_nodes_used_up() {
            return true;
        }
        let Some(soft) = self.shared.time.soft else { return false };
        if progress.best == Some(best.mv) {
            progress.stability += 1;
        } else {
            *progress = Progress { best: Some(best.mv), stability: 0 };
        }
        let fall = best.previous.map_or(0, |previous| previous.units() - score.units());
        let confidence = TimeFactors {
            effort: best.nodes * 1024 / self.nodes.max(1),
            stability: progress.stability,
            fall,
        };
        let forced = self.root.all().len() == 1 && depth >= FORCED_DEPTH;
        let enough = forced || self.time_used() >= soft.scaled(confidence.factor(), 1024);
        if enough && self.signals.clock_start().is_none() {
            // Thinking in the opponent's time costs nothing: stop once ours is running.
            self.stop_on_ponder_hit = true;
            return false;
        }
        enough
    }

    /// Whether the nodes for new iterations are used up.
    fn soft_nodes_used_up(&self) -> bool {
        self.shared.node_counter(self.thread).publish(self.nodes);
        self.shared.limits.soft_nodes.is_some_and(|limit| self.shared.nodes() >= limit)
    }

    fn outcome(&mut self, depth: u32, lines: usize, reported: bool) -> ThreadResult {
        if self.root.best().is_some_and(|best| best.score.is_none()) {
            self.settle_for_evaluation();
        }
        let lines = self.root.all().iter().take(lines.max(1)).cloned().collect();
        ThreadResult { lines, depth, reported }
    }

    /// Nothing was searched: the first move stands, with the evaluation of the root.
    fn settle_for_evaluation(&mut self) {
        let root = &self.shared.position;
        let score = match root.in_check() {
            true => Score::DRAW,
            false => tamarin_eval::evaluate(root, self.pawn_table),
        };
        self.root.settle_first(score);
    }

    /// Reports the lines to show as they stand; gives whether the user has heard them.
    fn report_lines(&mut self, depth: u32, lines: usize) -> bool {
        if self.shared.options.reports != Reports::All {
            return false;
        }
        let lines = lines.min(self.shared.lines_to_show());
        let root = core::mem::take(&mut self.root);
        for (index, root_move) in root.all().iter().take(lines).enumerate() {
            self.report_line(depth, index, lines, root_move);
        }
        self.root = root;
        self.main.is_some()
    }

    /// Wakes the helper threads, if this is the main thread and has not done so.
    fn wake_helpers(&self) {
        if let Some(main) = &self.main {
            main.helpers.wake();
        }
    }

    /// Reports that the score is at least or at most so much, if that took long to find out.
    fn report_bound(&mut self) {
        let many = self.shared.lines_to_search() > 1 || self.shared.options.reports != Reports::All;
        if many || self.main.is_none() || self.signals.elapsed() < PATIENCE {
            return;
        }
        if let Some(leader) = self.root.leader().cloned() {
            self.report_line(self.root_depth as u32, 0, 1, &leader);
        }
    }

    fn report_line(&mut self, depth: u32, index: usize, lines: usize, root_move: &RootMove) {
        self.shared.node_counter(self.thread).publish(self.nodes);
        let Some(main) = &mut self.main else { return };
        main.observer.iteration(&self.shared.report(depth, LineIndex { index, lines }, root_move));
    }
}

/// Whether a thread does the iteration of this depth. The leading one does them all; the
/// helpers leave out every other block of `size` iterations, so that some are ahead of the
/// others: what they leave in the table is deeper, and fewer nodes are searched twice.
///
/// Source: the skipped depths of Stockfish 8 to 11: two helpers with blocks of one, one of
/// them a block after the other, then four with blocks of two, and so on.
fn takes_part(thread: usize, depth: u32) -> bool {
    let Some(mut helper) = thread.checked_sub(1) else { return true };
    let mut size = 1;
    while helper >= 2 * size {
        helper -= 2 * size;
        size += 1;
    }
    (depth as usize + helper) / size % 2 == 1
}

/// The window of the given half width about a score.
fn around(middle: Score, width: i32) -> Window {
    let limit = Score::INFINITE.units();
    Window {
        alpha: Score::new((middle.units() - width).max(-limit)),
        beta: Score::new((middle.units() + width).min(limit)),
    }
}

#[cfg(test)]
mod tests {
    use super::takes_part;

    #[test]
    fn helpers_share_the_depths() {
        let depths =
            |thread| (1..13).filter(|&depth| takes_part(thread, depth)).collect::<Vec<_>>();
        assert_eq!(depths(0).len(), 12);
        assert_eq!(depths(1), [1, 3, 5, 7, 9, 11]);
        assert_eq!(depths(2), [2, 4, 6, 8, 10, 12]);
        assert_eq!(depths(3), [2, 3, 6, 7, 10, 11]);
        assert_eq!(depths(6), [3, 4, 7, 8, 11, 12]);
        for thread in 1..1024 {
            assert!((1..200).any(|depth| takes_part(thread, depth)), "{thread}");
        }
    }
}
