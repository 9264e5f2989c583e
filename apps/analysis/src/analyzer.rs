//! An engine that searches one position after the other.

use std::path::Path;
use std::sync::Arc;

use crate::explain::{Found, GameResult, Request};
use parking_lot::Mutex;
use tamarin_base::{complain, with_causes};
use tamarin_eval::Score;
use tamarin_game::engine_process::{EngineError, EngineProcess, EngineSettings};
#[cfg(test)]
use tamarin_game::evaluator::{EvaluatorChoice, EvaluatorKind};
use tamarin_movegen::{Move, Position};
use tamarin_search::{BestMove, Limits, OwnedReport, Reports};
use tamarin_uci::client::Stopper;

pub use crate::error::Error;

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
    /// What every engine is started with.
    pub engine: EngineSettings,
}

#[cfg(test)]
impl Effort {
    /// Searches with a small table that are evaluated by the hand-crafted terms.
    pub fn of_terms(limits: Limits, lines: usize) -> Self {
        let kind = EvaluatorKind::HandCrafted;
        let evaluator = EvaluatorChoice { kind, ..EvaluatorChoice::default() };
        Self { limits, lines, engine: EngineSettings { hash: 4, evaluator, ..Default::default() } }
    }
}

/// Ends a run from any thread. Clones are the same.
#[derive(Clone, Default)]
pub struct Stop(Arc<Mutex<Stopping>>);

#[derive(Default)]
struct Stopping {
    is_stopped: bool,
    running: Option<Stopper>,
}

impl Stop {
    /// Ends the run, and the search that runs if it is one of an engine that heeds this.
    pub fn stop(&self) {
        let mut state = self.0.lock();
        state.is_stopped = true;
        state.running.iter().for_each(Stopper::stop);
    }

    /// Returns `true` if the run is to end.
    pub fn is_stopped(&self) -> bool {
        self.0.lock().is_stopped
    }

    /// A search has begun.
    fn steer(&self, stopper: Stopper) {
        let mut state = self.0.lock();
        if state.is_stopped {
            stopper.stop();
        }
        state.running = Some(stopper);
    }
}

/// An engine that analyzes positions one after the other.
pub struct Analyzer {
    engine: EngineProcess,
    effort: Effort,
    /// Those of the engine.
    threads: usize,
    /// What ends its searches, if it keeps what they have learned from game to game.
    kept: Option<Stop>,
}

impl Analyzer {
    /// An engine with `threads` threads.
    pub fn new(effort: &Effort, threads: usize) -> Result<Self, EngineError> {
        let engine = EngineProcess::start(&effort.engine, threads)?;
        Ok(Self { engine, effort: effort.clone(), threads, kept: None })
    }

    /// Goes on with what was saved in a file, if there is one, and forgets nothing from now on; what
    /// to say about it. A search that is stopped has found what it has found.
    pub fn keep(&mut self, file: Option<&Path>, stop: Stop) -> Result<Option<String>, EngineError> {
        self.kept = Some(stop);
        file.map(|path| self.engine.load_hash(path)).transpose()
    }

    /// Saves what was learned to a file; what to say about it.
    ///
    /// # Errors
    /// If it cannot be written. Then an old file stays.
    pub fn save(&mut self, path: &Path) -> Result<String, EngineError> {
        self.engine.save_hash(path)
    }

    /// Forgets earlier positions, so that what is found does not depend on them, unless it is to
    /// [keep](Self::keep) them.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        if self.kept.is_some() {
            return Ok(());
        }
        self.engine.new_game().or_else(|error| self.restart(error))
    }

    /// Starts an engine that has ended once more, unless what it has learned is to be kept.
    fn restart(&mut self, error: EngineError) -> Result<(), EngineError> {
        if self.kept.is_some() || !matches!(error, EngineError::Client(_)) {
            return Err(error);
        }
        complain(&format!("{}; it is started again", with_causes(&error)));
        self.engine = EngineProcess::start(&self.effort.engine, self.threads)?;
        Ok(())
    }

    /// Searches a position, whose history counts for repetitions, within other limits for this number
    /// of best lines: how it ended, and what was reported. Notes go to standard error.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        asked: (usize, Reports),
    ) -> Result<(BestMove, Vec<OwnedReport>), EngineError> {
        self.search_once(position, limits, asked).or_else(|error| {
            self.restart(error)?;
            self.search_once(position, limits, asked)
        })
    }

    fn search_once(
        &mut self,
        position: &Position,
        limits: &Limits,
        asked: (usize, Reports),
    ) -> Result<(BestMove, Vec<OwnedReport>), EngineError> {
        let stopper = self.engine.stopper();
        let begun = || {
            if let Some(stop) = &self.kept {
                stop.steer(stopper);
            }
        };
        self.engine.search(position, limits, asked, begun, complain)
    }

    /// Carries out a search that an explanation needs; `None` if it finds no line.
    pub fn answer(&mut self, request: &Request) -> Result<Option<Found>, EngineError> {
        let limits = Limits { search_moves: request.search_moves(), ..self.effort.limits.clone() };
        let found = self.analyze_within(&request.position, &limits, 1)?;
        Ok(self.found(&request.position, &found))
    }

    /// What an explanation has to know of a position that has been analyzed.
    pub fn found(&self, position: &Position, analysis: &PositionAnalysis) -> Option<Found> {
        let line = analysis.lines.first()?;
        let result = self.effort.engine.tablebases.result(position).map(GameResult::of_table);
        Some(Found { score: line.score, moves: line.moves.clone(), result })
    }

    /// Searches a position, whose history counts for repetitions.
    pub fn analyze(&mut self, position: &Position) -> Result<PositionAnalysis, EngineError> {
        let Effort { limits, lines, .. } = &self.effort;
        self.analyze_within(position, &limits.clone(), *lines)
    }

    /// The same within other limits, with this number of best lines.
    pub fn analyze_within(
        &mut self,
        position: &Position,
        limits: &Limits,
        count: usize,
    ) -> Result<PositionAnalysis, EngineError> {
        let (best, reports) = self.search(position, limits, (count, Reports::Minimal))?;
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
        Ok(PositionAnalysis { score, lines, depth: best.depth, nodes: best.nodes })
    }
}

#[cfg(test)]
mod tests {
    use super::{Analyzer, Effort};
    use tamarin_eval::ScoreValue;
    use tamarin_movegen::Position;
    use tamarin_search::Limits;

    fn analyzer(lines: usize) -> Analyzer {
        Analyzer::new(&Effort::of_terms(Limits::nodes(5_000), lines), 1).expect("it is built")
    }

    #[test]
    fn lines_are_sorted_and_as_many_as_asked_for() {
        let found = analyzer(3).analyze(&Position::startpos()).expect("an answer");
        assert_eq!(found.lines.len(), 3);
        assert!(found.lines.is_sorted_by_key(|line| -line.score.units()), "{found:?}");
        assert_eq!(found.best(), Some(found.lines[0].moves[0]));
        assert!(found.depth > 0 && found.nodes >= 4_000);
    }

    #[test]
    fn the_end_of_a_game_is_reported_without_lines() {
        let mated = Position::from_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1").expect("legal");
        let found = analyzer(2).analyze(&mated).expect("an answer");
        assert_eq!((found.score.to_uci(), found.best()), (ScoreValue::Mate(0), None));
        let stalemate = Position::from_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").expect("legal");
        assert_eq!(analyzer(2).analyze(&stalemate).expect("an answer").score.units(), 0);
    }
}
