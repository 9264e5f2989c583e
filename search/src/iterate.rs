//! Iterative deepening with aspiration windows, and when to end it.

use tamarin_base::formula;
use tamarin_base::types::MAX_DEPTH;
use tamarin_base::types::{Aborted, Expected, Root, Window};
use tamarin_base::{Bound, TimeFactors};
use tamarin_eval::{Score, ScoreValue};
use tamarin_movegen::{Color, Move};

use crate::mate::WantedMate;
use crate::options::Reports;
use crate::root::RootMove;
use crate::threads::shared::{LineIndex, ThreadResult};
use crate::threads::worker::Worker;

type Progress = tamarin_base::Progress<Option<Move>>;

/// By how many units the score of `side` is lower than in the last search of the game; 0 if that
/// was a search for the other side.
fn fall_since(last: Option<(Color, Score)>, side: Color, now: Score) -> i32 {
    last.filter(|(of, _)| *of == side).map_or(0, |(_, before)| before.units() - now.units())
}

impl Worker<'_> {
    /// Searches until a limit is reached; gives the best lines found.
    pub fn iterate(&mut self, lines: usize) -> ThreadResult {
        let lines = lines.min(self.root.all().len());
        let last = self.last_iteration();
        let mut finished = 0;
        let mut reported = false;
        let mut last_lines = Vec::new();
        let mate = self.settle_wanted_mate(lines);
        if let WantedMate::Found(plies) = mate {
            let reported = self.report_lines(plies, lines);
            return self.result(plies, lines, reported);
        }
        let mut progress = Progress::default();
        let thread = self.thread;
        for depth in (1..=last).filter(|&depth| depth == last || takes_part(thread, depth)) {
            self.root_depth = depth as i32;
            reported = false;
            if self.search_lines(lines).is_err() {
                self.end_unfinished_iteration(lines, last_lines);
                break;
            }
            finished = depth;
            reported = self.report_lines(finished, lines);
            self.wake_helpers();
            if self.is_main() && self.should_stop(depth, mate, &mut progress) {
                break;
            }
            last_lines = self.root.all()[..lines].to_vec();
        }
        self.publish_counts();
        let side = self.shared.request.position.side_to_move();
        let score = self.root.best().and_then(|best| best.score);
        *self.last_score = score.map(|score| (side, score));
        self.result(finished, lines, reported)
    }

    /// An iteration was stopped midway. Its finished lines stand before those of the last iteration,
    /// except at limited strength, which chooses among lines of one depth. The best move of its only
    /// line stands if its score is exact and no loss, or if it is another move that failed high; else
    /// the lines of the last iteration return. A loss found before all moves were searched says
    /// nothing about the others (source: Stockfish 16.1).
    fn end_unfinished_iteration(&mut self, lines: usize, mut last_lines: Vec<RootMove>) {
        let (Some(now), Some(last)) = (self.root.best(), last_lines.first()) else { return };
        let finished = &self.root.all()[..self.root.line()];
        if let Some(least) = finished.last().filter(|_| self.shared.skill.is_none()) {
            // The moves that are left were not better in this iteration.
            last_lines.iter_mut().for_each(|line| line.score = line.score.min(least.score));
            let finished = finished.to_vec();
            self.root.restore(last_lines);
            return self.root.restore(finished);
        }
        let (bound, score) = (now.bound, now.score.unwrap_or(Score::DRAW));
        let other_move = now.mv != last.mv;
        match bound {
            Bound::Exact if lines == 1 && !score.is_loss() => {}
            Bound::Lower if lines == 1 && other_move => {
                // A lower bound that is a mate score proves a win, but not in how many moves.
                let score = score.clamp_to_evaluation();
                self.root.set_best_score(score);
            }
            _ => self.root.restore(last_lines),
        }
    }

    /// The depth of the last iteration there can be.
    fn last_iteration(&self) -> u32 {
        // Helper threads go on until the main thread stops them.
        let limit = self.shared.request.limits.depth.filter(|_| self.is_main());
        limit.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH))
    }

    /// One iteration: the best lines (MultiPV), each without the first moves of those before.
    fn search_lines(&mut self, lines: usize) -> Result<(), Aborted> {
        for line in 0..lines {
            self.root.begin_line(line);
            self.selective_depth = 0;
            let result = self.aspirate();
            self.root.sort_line();
            result?;
            self.root.sort_finished();
        }
        Ok(())
    }

    /// Searches the root with an aspiration window about the mean of the scores so far, which
    /// is widened and searched again as long as it fails low or high.
    fn aspirate(&mut self) -> Result<(), Aborted> {
        let average = self.root.line_best().and_then(|root_move| root_move.average);
        let optimism = average
            .filter(|_| self.shared.request.options.optimism)
            .map_or(0, |score| formula::optimism(&self.params, score));
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
            self.root_width = window.beta.units() - window.alpha.units();
            let score = self.search::<Root>(window, depth, Expected::AllNode)?;
            self.root.sort_line();
            if score <= window.alpha {
                window.beta = formula::aspiration_fail_low(&self.params, window);
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

    /// Whether the search ends with this iteration: a mate was found, a soft limit is reached.
    fn should_stop(&mut self, depth: u32, known: WantedMate, progress: &mut Progress) -> bool {
        let Some(best) = self.root.best() else { return true };
        let score = best.score.unwrap_or(Score::DRAW);
        if let Some(wanted) = self.shared.request.limits.mate.filter(|&moves| moves > 0) {
            let mate = match score.to_uci() {
                ScoreValue::Mate(moves) => Some(moves.unsigned_abs()),
                ScoreValue::Centipawns(_) => None,
            };
            let is_excluded = known == WantedMate::Excluded && depth >= 2 * wanted;
            if is_excluded || mate.is_some_and(|moves| moves <= wanted) {
                return true;
            }
        }
        if self.soft_nodes_used_up() {
            return true;
        }
        let Some(soft) = self.shared.time.soft else { return false };
        let side = self.shared.request.position.side_to_move();
        let factors = TimeFactors {
            effort: self.root.effort(),
            fall: progress.update(Some(best.mv), score),
            fall_since_last_search: fall_since(*self.last_score, side, score),
            stability: progress.stability,
        };
        let forced = self.root.all().len() == 1 && depth as i32 >= self.params.forced_move_depth();
        let enough = forced || self.time_used() >= soft.scaled(factors.factor(&self.params), 1024);
        // Pondering costs no time: the ponder hit ends the search, unless a later iteration wants more.
        let ponders = self.signals.clock_start().is_none();
        self.stop_on_ponder_hit = ponders && enough;
        enough && !ponders
    }

    /// Whether the soft node limit is reached.
    fn soft_nodes_used_up(&self) -> bool {
        self.publish_counts();
        self.shared.request.limits.soft_nodes.is_some_and(|limit| self.shared.nodes() >= limit)
    }

    fn result(&mut self, depth: u32, lines: usize, reported: bool) -> ThreadResult {
        if self.root.best().is_some_and(|best| best.score.is_none()) {
            self.fall_back_on_evaluation();
        }
        let lines = self.root.all().iter().take(lines.max(1)).cloned().collect();
        ThreadResult { lines, depth, reported }
    }

    /// The search was stopped before any move had a score: the first one stands, with the
    /// evaluation of the root.
    fn fall_back_on_evaluation(&mut self) {
        let root = &self.shared.request.position;
        let score = match root.in_check() {
            true => Score::DRAW,
            false => self.evaluator.evaluate(root, 0),
        };
        self.root.set_best_score(score);
    }

    /// Reports the lines to show; returns `true` if the observer got them.
    fn report_lines(&mut self, depth: u32, lines: usize) -> bool {
        if self.shared.request.options.reports != Reports::All {
            return false;
        }
        self.publish_counts();
        let Some(main) = &mut self.main else { return false };
        let lines = lines.min(self.shared.lines_to_show());
        for (index, root_move) in self.root.all().iter().take(lines).enumerate() {
            let report = self.shared.report(depth, LineIndex { index, lines }, root_move);
            main.observer.iteration(&report);
        }
        true
    }

    /// Wakes the helper threads, if this is the main thread and has not done so.
    fn wake_helpers(&self) {
        if let Some(main) = &self.main {
            main.helpers.wake();
        }
    }

    /// Reports that the root failed low or high, in long searches.
    fn report_bound(&mut self) {
        let options = &self.shared.request.options;
        let many = self.shared.lines_to_search() > 1 || options.reports != Reports::All;
        if many || self.main.is_none() || self.signals.elapsed() < options.report_delay {
            return;
        }
        self.publish_counts();
        if let (Some(main), Some(root_move)) = (&mut self.main, self.root.line_best()) {
            let line = LineIndex { index: 0, lines: 1 };
            main.observer.iteration(&self.shared.report(self.root_depth as u32, line, root_move));
        }
    }
}

/// Whether a thread does the iteration of this depth. The main thread does them all; helper
/// threads skip every other block of `size` iterations, so that some are ahead of the others:
/// their table entries are deeper, and fewer nodes are searched twice.
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
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use tamarin_base::{Bound, Clock, Millis, Signals, Wait};
    use tamarin_eval::Score;
    use tamarin_movegen::{Color, PerColor, Position};

    use super::{Progress, fall_since, takes_part};
    use crate::limits::Limits;
    use crate::mate::WantedMate;
    use crate::options::SearchOptions;
    use crate::root::RootResult;
    use crate::threads::data::ThreadData;
    use crate::threads::shared::SharedState;
    use crate::threads::worker::Worker;

    #[test]
    fn finished_lines_of_a_stopped_iteration_stand() {
        let moves = Position::startpos().legal_moves();
        let options = SearchOptions { multi_pv: 2, ..SearchOptions::default() };
        let shared = SharedState::of_startpos(Limits::default(), options, 1);
        for (stopped_in, expected) in [(0, [(0, 30), (1, 20)]), (1, [(2, 10), (0, 10)])] {
            let mut data = ThreadData::of_thread(0);
            let mut worker = Worker::new(&shared, &mut data, None);
            let (mut last_lines, bound) = (Vec::new(), Bound::Exact);
            // Another move begins the second iteration's first line.
            for (line, index, score) in [(0, 0, 30), (1, 1, 20), (0, 2, 10)] {
                last_lines = worker.root.all()[..2].to_vec();
                worker.root.begin_line(line);
                worker.root.begin_window();
                let score = Score::new(score);
                let result = RootResult { score, bound, selective_depth: 1, answers: &[] };
                worker.root.update(moves[index], 1000, Some(&result), &worker.params);
                worker.root.sort_line();
            }
            worker.root.begin_line(stopped_in);
            worker.end_unfinished_iteration(2, last_lines);
            let lines = worker.root.all()[..2].iter();
            let found: Vec<_> = lines.map(|line| (line.mv, line.score.unwrap().units())).collect();
            assert_eq!(found, expected.map(|(index, score)| (moves[index], score)));
            assert_eq!(worker.root.effort(), 512, "the nodes of the second line are left out");
        }
    }

    /// Whether a ponder hit ends the search is decided anew after each iteration.
    #[test]
    fn a_ponder_hit_ends_the_search_if_the_last_iteration_was_enough() {
        let clock = Clock { left: Millis::new(60_000), ..Clock::default() };
        let limits =
            Limits { clocks: PerColor([Some(clock); 2]), wait: Wait::Ponder, ..Limits::default() };
        let mut shared = SharedState::of_startpos(limits, SearchOptions::default(), 1);
        let now = Arc::new(AtomicU64::new(0));
        let time = Arc::clone(&now);
        let elapsed = move || Millis::new(time.load(Ordering::Relaxed));
        shared.signals = Arc::new(Signals::with_time(Wait::Ponder, elapsed));
        let mut data = ThreadData::of_thread(0);
        let mut worker = Worker::new(&shared, &mut data, None);
        let mut progress = Progress::default();
        for (elapsed, is_enough) in [(1, false), (60_000, true), (1, false)] {
            now.store(elapsed, Ordering::Relaxed);
            assert!(!worker.should_stop(5, WantedMate::Open, &mut progress), "it ponders");
            assert_eq!(worker.stop_on_ponder_hit, is_enough, "{elapsed} ms");
        }
    }

    #[test]
    fn scores_are_compared_with_those_of_the_same_side() {
        let last = Some((Color::White, Score::new(40)));
        assert_eq!(fall_since(last, Color::White, Score::new(-10)), 50);
        assert_eq!(fall_since(last, Color::Black, Score::new(-10)), 0);
        assert_eq!(fall_since(None, Color::White, Score::new(-10)), 0);
    }

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
