//! An engine that searches one position after the other.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::explain::{Found, GameResult, Request};
use parking_lot::Mutex;
use tamarin_base::files::Target;
use tamarin_eval::Score;
use tamarin_eval::network::Network;
use tamarin_movegen::{Move, Position};
use tamarin_search::{
    BestMove, Collector, Controls, Engine, HashFileError, Limits, Millis, OwnedReport, Reports,
    SearchOptions, TablebaseProbe,
};

pub use crate::error::Error;
use tamarin_base::complain;
use tamarin_game::about::NAME;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// For the side to move.
    pub score: Score,
    /// Legal moves from the position on; at least one.
    pub moves: Vec<Move>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionAnalysis {
    /// For the side to move: that of the best line, or of the result where no move is legal.
    pub score: Score,
    /// The best lines, the best one first; empty where no move is legal.
    pub lines: Vec<Line>,
    /// The last finished iteration, in plies; 0 where no move is legal.
    pub depth: u32,
    pub nodes: u64,
}

impl PositionAnalysis {
    /// The best move, if any is legal.
    pub fn best(&self) -> Option<Move> {
        self.lines.first().and_then(|line| line.moves.first()).copied()
    }
}

/// The settings of every search of a run.
#[derive(Clone, Debug)]
pub struct Effort {
    /// When a search ends.
    pub limits: Limits,
    /// How many best lines it finds, at least 1.
    pub lines: usize,
    /// Its transposition table, in MiB.
    pub hash: usize,
    /// The endgame tablebases, which all engines share.
    pub tablebases: TablebaseProbe,
    /// What evaluates; `None` is the hand-crafted terms.
    pub network: Option<Arc<Network>>,
}

/// Ends a run from any thread. Clones are the same.
#[derive(Clone, Default)]
pub struct Stop(Arc<Mutex<Stopping>>);

#[derive(Default)]
struct Stopping {
    is_stopped: bool,
    running: Option<Controls>,
}

impl Stop {
    /// Ends the run, and the search that runs if it is one of an engine that heeds this.
    pub fn stop(&self) {
        let mut state = self.0.lock();
        state.is_stopped = true;
        if let Some(controls) = &state.running {
            controls.stop();
        }
    }

    /// Returns `true` if the run is to end.
    pub fn is_stopped(&self) -> bool {
        self.0.lock().is_stopped
    }

    /// A search has begun.
    fn steer(&self, controls: Controls) {
        let mut state = self.0.lock();
        if state.is_stopped {
            controls.stop();
        }
        state.running = Some(controls);
    }
}

/// An engine that analyzes positions one after the other.
pub struct Analyzer {
    engine: Engine,
    limits: Limits,
    options: SearchOptions,
    /// What ends its searches, if it keeps what they have learned from game to game.
    kept: Option<Stop>,
}

impl Analyzer {
    /// An engine with `threads` threads.
    pub fn new(effort: &Effort, threads: usize) -> Result<Self, Error> {
        let mut engine = Engine::prepared(threads, effort.hash, effort.network.clone())?;
        engine.share_tablebases(&effort.tablebases);
        let options = SearchOptions {
            multi_pv: effort.lines,
            // Nobody's clock runs.
            move_overhead: Millis::ZERO,
            ..SearchOptions::default()
        };
        Ok(Self { engine, limits: effort.limits.clone(), options, kept: None })
    }

    /// Goes on with what was saved in a file, if there is one, and forgets nothing from now on; what
    /// to say about it. A search that is stopped has found what it has found.
    pub fn keep(
        &mut self,
        file: Option<&Path>,
        stop: Stop,
    ) -> Result<Option<String>, HashFileError> {
        self.kept = Some(stop);
        file.map(|path| self.engine.load_hash_file(NAME, path)).transpose()
    }

    /// Saves what was learned to a file; what to say about it.
    ///
    /// # Errors
    /// If it cannot be written. Then an old file stays.
    pub fn save(&self, target: Target) -> io::Result<String> {
        self.engine.save_hash_file(NAME, target)
    }

    /// Forgets earlier positions, so that what is found does not depend on them, unless it is to
    /// [keep](Self::keep) them.
    pub fn new_game(&mut self) {
        if self.kept.is_none() {
            self.engine.new_game();
        }
    }

    /// Searches a position, whose history counts for repetitions, within other limits: how it ended,
    /// and what was reported. Notes go to standard error.
    pub fn search(
        &mut self,
        position: &Position,
        limits: Limits,
        reports: Reports,
    ) -> (BestMove, Vec<OwnedReport>) {
        let options = SearchOptions { reports, ..self.options.clone() };
        let found = Collector::new();
        let best =
            self.engine.search_steered(position, limits, &options, found.observer(), |controls| {
                if let Some(stop) = &self.kept {
                    stop.steer(controls);
                }
            });
        found.notes().iter().for_each(|note| complain(&note.to_string()));
        (best, found.reports())
    }

    /// Carries out a search that an explanation needs; `None` if it finds no line.
    pub fn answer(&mut self, request: &Request) -> Option<Found> {
        let limits = Limits { search_moves: request.search_moves(), ..self.limits.clone() };
        let found = self.analyze_within(&request.position, limits, 1);
        self.found(&request.position, &found)
    }

    /// What an explanation has to know of a position that has been analyzed.
    pub fn found(&self, position: &Position, analysis: &PositionAnalysis) -> Option<Found> {
        let line = analysis.lines.first()?;
        let result = self.engine.tablebase_result(position).map(GameResult::of_table);
        Some(Found { score: line.score, moves: line.moves.clone(), result })
    }

    /// Searches a position, whose history counts for repetitions.
    pub fn analyze(&mut self, position: &Position) -> PositionAnalysis {
        self.analyze_within(position, self.limits.clone(), self.options.multi_pv)
    }

    /// The same within other limits, with this number of best lines.
    pub fn analyze_within(
        &mut self,
        position: &Position,
        limits: Limits,
        count: usize,
    ) -> PositionAnalysis {
        let usual = std::mem::replace(&mut self.options.multi_pv, count);
        let (best, reports) = self.search(position, limits, Reports::Minimal);
        self.options.multi_pv = usual;
        let mut lines = Vec::new();
        for report in reports {
            lines.truncate(report.line - 1);
            lines.push(Line { score: report.score, moves: report.pv });
        }
        lines.retain(|line| !line.moves.is_empty());
        if let Some(mv) = best.mv
            && lines.first().is_none_or(|line| line.moves.first() != Some(&mv))
        {
            lines.insert(0, Line { score: best.score, moves: vec![mv] });
            lines.truncate(count);
        }
        let score = lines.first().map_or(best.score, |line| line.score);
        PositionAnalysis { score, lines, depth: best.depth, nodes: best.nodes }
    }
}

#[cfg(test)]
mod tests {
    use super::{Analyzer, Effort};
    use tamarin_eval::ScoreValue;
    use tamarin_movegen::Position;
    use tamarin_search::{Limits, TablebaseProbe};

    fn analyzer(lines: usize) -> Analyzer {
        let limits = Limits::nodes(5_000);
        let tablebases = TablebaseProbe::default();
        let effort = Effort { limits, lines, hash: 1, tablebases, network: None };
        Analyzer::new(&effort, 1).expect("a thread and a MiB")
    }

    #[test]
    fn lines_are_sorted_and_as_many_as_asked_for() {
        let found = analyzer(3).analyze(&Position::startpos());
        assert_eq!(found.lines.len(), 3);
        assert!(found.lines.is_sorted_by_key(|line| -line.score.units()), "{found:?}");
        assert_eq!(found.best(), Some(found.lines[0].moves[0]));
        assert!(found.depth > 0 && found.nodes >= 4_000);
    }

    #[test]
    fn the_end_of_a_game_is_reported_without_lines() {
        let mated = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").expect("legal");
        let found = analyzer(2).analyze(&mated);
        assert_eq!((found.score.to_uci(), found.best()), (ScoreValue::Mate(0), None));
        let stalemate = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").expect("legal");
        assert_eq!(analyzer(2).analyze(&stalemate).score.units(), 0);
    }
}
