//! Searches that are started and looked at: of chess or of a variant.

use tamarin_game::evaluator::EvaluatorKind;
use tamarin_play::background_engine::BackgroundEngine;
use tamarin_play::search_limits;
use tamarin_search::{Limits, SearchOptions};

use super::seek::{Answer, Ask, Found, FoundLine, Resources, SeekerError, Worth};
use super::variant::VariantSeeker;
use tamarin_game::position::{Move, Position};

enum Engine {
    Chess(Box<BackgroundEngine>),
    Variant(Box<VariantSeeker>),
}

/// A search engine with a table and threads of its own. Dropping it stops its search.
pub struct Seeker {
    engine: Engine,
}

impl Seeker {
    /// An engine for the game of a position.
    pub fn new(
        place: &Position,
        resources: &Resources,
        kind: Option<EvaluatorKind>,
        threads: usize,
    ) -> Result<Self, SeekerError> {
        let engine = match place.rules() {
            None => {
                let choice = &resources.evaluator;
                let network = match kind {
                    Some(kind) => choice.of_kind(kind).active_network(),
                    None => choice.active_network(),
                };
                let tablebases = &resources.tablebases;
                let engine = BackgroundEngine::new(resources.hash, threads, network, tablebases)?;
                Engine::Chess(Box::new(engine))
            }
            Some(rules) => {
                let seeker = VariantSeeker::new(resources.judge(rules), resources.hash, threads);
                Engine::Variant(Box::new(seeker))
            }
        };
        Ok(Self { engine })
    }

    /// Starts a search; one that runs is stopped first, and its answer lost.
    pub fn start(&mut self, place: &Position, ask: &Ask) -> Result<(), SeekerError> {
        match (&mut self.engine, place) {
            (Engine::Chess(engine), Position::Chess(position, _)) => {
                engine.start(position, chess_limits(ask), &chess_options(ask));
                Ok(())
            }
            (Engine::Variant(seeker), Position::Variant(position)) => seeker.start(position, ask),
            _ => Ok(()),
        }
    }

    /// Returns `true` if a search runs whose answer has not been taken.
    pub fn is_running(&self) -> bool {
        match &self.engine {
            Engine::Chess(engine) => engine.is_running(),
            Engine::Variant(seeker) => seeker.is_running(),
        }
    }

    /// What it has found so far.
    pub fn found(&self) -> Found {
        match &self.engine {
            Engine::Chess(engine) => chess_found(engine),
            Engine::Variant(seeker) => seeker.found(),
        }
    }

    /// The answer of a search that has ended, once; `None` before and after.
    pub fn answer(&mut self) -> Option<Answer> {
        match &mut self.engine {
            Engine::Chess(engine) => {
                let found = chess_found(engine);
                let answer = engine.answer()?;
                let best = answer.best.and_then(|best| best.mv).map(Move::Chess);
                // The lines may have grown between the two.
                let lines = answer.lines.iter().map(chess_line).collect();
                Some(Answer { best, found: Found { lines, ..found } })
            }
            Engine::Variant(seeker) => seeker.answer(),
        }
    }

    /// Ends a search at once; its answer is lost.
    pub fn stop(&mut self) {
        match &mut self.engine {
            Engine::Chess(engine) => drop(engine.stop()),
            Engine::Variant(seeker) => seeker.stop(),
        }
    }
}

fn chess_limits(ask: &Ask) -> Limits {
    let mut limits = match ask.level {
        Some(level) => search_limits(level, ask.clocks),
        None => Limits::default(),
    };
    limits.nodes = ask.nodes;
    limits.move_time = ask.move_time.or(limits.move_time);
    limits.search_moves.clone_from(&ask.only);
    limits
}

fn chess_options(ask: &Ask) -> SearchOptions {
    let options = SearchOptions { multi_pv: ask.lines, seed: ask.seed, ..SearchOptions::default() };
    match ask.level {
        Some(level) => SearchOptions { strength: level.strength(), ..options },
        None => SearchOptions { contempt: 0, ..options },
    }
}

fn chess_line(line: &tamarin_play::background_engine::Line) -> FoundLine {
    let pv = line.pv.iter().copied().map(Move::Chess).collect();
    FoundLine { worth: Worth::Chess(line.score), pv }
}

fn chess_found(engine: &BackgroundEngine) -> Found {
    let progress = engine.progress();
    let lines: Vec<FoundLine> = progress.lines.iter().map(chess_line).collect();
    let depth = progress.lines.first().map_or(0, |line| line.depth);
    Found { depth, nodes: progress.nodes, time: progress.time, lines }
}
