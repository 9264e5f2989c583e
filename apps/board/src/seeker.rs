//! Searches that are started and looked at: of chess or of a variant.

use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;
use serde::Serialize;
use tamarin_chess::evaluator::{EvaluatorChoice, EvaluatorKind};
use tamarin_eval::{Score, UciScore};
use tamarin_movegen::{Color, Move, PerColor};
use tamarin_play::level::Level;
use tamarin_play::thinker::Thinker;
use tamarin_play::{search_limits, variant_limits};
use tamarin_search::{Clock, Controls, Limits, Millis, SearchOptions, StartError};
use tamarin_variant as variant;
use tamarin_variant_search as engine;

use crate::place::{AnyMove, Place};

/// What every engine of the server is given.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Size of the transposition table, in MiB.
    pub hash: usize,
    /// Threads.
    pub threads: usize,
    /// What evaluates positions of chess, unless a player has an evaluator of its own.
    pub evaluator: EvaluatorChoice,
    /// Folders of endgame tablebases; empty for none.
    pub tablebases: String,
    /// The address of the page for others in the local network, once they are let in.
    pub invitation: Arc<OnceLock<String>>,
}

/// What a search is for.
#[derive(Clone, Debug)]
pub struct Ask {
    /// How well a player plays; `None` in analysis.
    pub level: Option<Level>,
    /// The clocks.
    pub clocks: PerColor<Option<Clock>>,
    /// Time for the move.
    pub move_time: Option<Millis>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// How many best lines.
    pub lines: usize,
    /// Where the chance of weak players comes from.
    pub seed: u64,
    /// The only moves to look at; empty for all.
    pub only: Vec<Move>,
}

impl Default for Ask {
    fn default() -> Self {
        Self {
            level: None,
            clocks: PerColor([None; 2]),
            move_time: None,
            nodes: None,
            lines: 1,
            seed: 0,
            only: Vec::new(),
        }
    }
}

/// What a position is worth for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// In chess.
    Chess(Score),
    /// In a variant.
    Variant(engine::Value),
}

/// A worth as pages show it, White's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Shown {
    /// Centipawns.
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Moves to the mate; negative if Black mates.
    #[serde(rename = "mate")]
    Mate(i32),
}

impl Worth {
    /// As White sees it.
    pub fn for_white(self, turn: Color) -> Shown {
        let sign = if turn == Color::White { 1 } else { -1 };
        let moves = |moves: u32| i32::try_from(moves).unwrap_or(i32::MAX);
        match self {
            Self::Chess(score) => match score.to_uci() {
                UciScore::Centipawns(value) => Shown::Centipawns(sign * value),
                UciScore::MateIn(count) => Shown::Mate(sign * moves(count)),
                UciScore::MatedIn(count) => Shown::Mate(-sign * moves(count)),
            },
            Self::Variant(engine::Value::Centipawns(value)) => Shown::Centipawns(sign * value),
            Self::Variant(engine::Value::Mate(count)) => Shown::Mate(sign * count),
        }
    }
}

/// A line that a search has found.
#[derive(Clone, PartialEq, Debug)]
pub struct FoundLine {
    /// Its worth for the side to move.
    pub worth: Worth,
    /// The moves.
    pub pv: Vec<AnyMove>,
}

/// What a search has found so far.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Found {
    /// The last iteration, in plies.
    pub depth: u32,
    /// Nodes.
    pub nodes: u64,
    /// Since the beginning.
    pub time: Millis,
    /// The best lines, the best one first.
    pub lines: Vec<FoundLine>,
}

/// How a search has ended.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move to play; `None` if no move is legal, or the search failed.
    pub best: Option<AnyMove>,
    /// What it has found.
    pub found: Found,
}

/// A search of a variant in a thread of its own.
struct Running {
    thread: JoinHandle<(Box<engine::Engine>, engine::BestMove)>,
    controls: Controls,
    found: Arc<Mutex<Found>>,
}

/// A search engine of a variant.
struct VariantSeeker {
    rules: Arc<variant::Game>,
    hash: usize,
    threads: usize,
    idle: Option<Box<engine::Engine>>,
    running: Option<Running>,
}

/// The engine cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum SeekerError {
    /// That of chess.
    #[error("the engine cannot be started: {0}; the game stays as it is")]
    Chess(#[from] StartError),
    /// That of a variant.
    #[error("the engine cannot be started: {0}; the game stays as it is")]
    Variant(#[from] engine::EngineError),
    /// No thread.
    #[error("the engine cannot be started: {0}; the game stays as it is")]
    Thread(#[from] std::io::Error),
}

enum Engine {
    Chess(Box<Thinker>),
    Variant(Box<VariantSeeker>),
}

/// A search engine with a table and threads of its own. Dropping it stops its search.
pub struct Seeker {
    engine: Engine,
}

impl Seeker {
    /// An engine for the game of a position.
    ///
    /// # Errors
    /// If the system has no memory or thread for it.
    pub fn new(
        place: &Place,
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
                let thinker = Thinker::new(resources.hash, threads, network, tablebases)?;
                Engine::Chess(Box::new(thinker))
            }
            Some(rules) => Engine::Variant(Box::new(VariantSeeker {
                rules: Arc::clone(rules),
                hash: resources.hash,
                threads,
                idle: None,
                running: None,
            })),
        };
        Ok(Self { engine })
    }

    /// Starts a search; one that runs is stopped first, and its answer lost.
    ///
    /// # Errors
    /// If the system has no memory or thread for it.
    pub fn start(&mut self, place: &Place, ask: &Ask) -> Result<(), SeekerError> {
        match (&mut self.engine, place) {
            (Engine::Chess(thinker), Place::Chess(position, _)) => {
                thinker.start(position, chess_limits(ask), &chess_options(ask));
                Ok(())
            }
            (Engine::Variant(seeker), Place::Variant(position)) => seeker.start(position, ask),
            _ => Ok(()),
        }
    }

    /// Does a search run whose answer has not been taken?
    pub fn is_running(&self) -> bool {
        match &self.engine {
            Engine::Chess(thinker) => thinker.is_running(),
            Engine::Variant(seeker) => seeker.running.is_some(),
        }
    }

    /// What it has found so far.
    pub fn found(&self) -> Found {
        match &self.engine {
            Engine::Chess(thinker) => chess_found(thinker),
            Engine::Variant(seeker) => seeker
                .running
                .as_ref()
                .map(|running| running.found.lock().clone())
                .unwrap_or_default(),
        }
    }

    /// The answer of a search that has ended; `None` while it runs and when there is none.
    pub fn answer(&mut self) -> Option<Answer> {
        match &mut self.engine {
            Engine::Chess(thinker) => {
                let found = chess_found(thinker);
                let answer = thinker.answer()?;
                let best = answer.best.and_then(|best| best.best).map(AnyMove::Chess);
                // The lines may have grown between the two.
                let lines = answer.lines.iter().map(chess_line).collect();
                Some(Answer { best, found: Found { lines, ..found } })
            }
            Engine::Variant(seeker) => match &seeker.running {
                Some(running) if running.thread.is_finished() => seeker.finish(),
                _ => None,
            },
        }
    }

    /// Ends a search at once; its answer is lost.
    pub fn stop(&mut self) {
        match &mut self.engine {
            Engine::Chess(thinker) => drop(thinker.stop()),
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

fn chess_line(line: &tamarin_play::thinker::Line) -> FoundLine {
    let pv = line.pv.iter().copied().map(AnyMove::Chess).collect();
    FoundLine { worth: Worth::Chess(line.score), pv }
}

fn chess_found(thinker: &Thinker) -> Found {
    let progress = thinker.progress();
    let lines: Vec<FoundLine> = progress.lines.iter().map(chess_line).collect();
    let depth = progress.lines.first().map_or(0, |line| line.depth);
    Found { depth, nodes: progress.nodes, time: progress.time, lines }
}

impl VariantSeeker {
    fn start(&mut self, position: &variant::Position, ask: &Ask) -> Result<(), SeekerError> {
        self.stop();
        let mut engine = match self.idle.take() {
            Some(engine) => engine,
            None => {
                let (hash_mib, threads) = (self.hash, self.threads);
                let options = engine::Options { hash_mib, threads, ..engine::Options::default() };
                Box::new(engine::Engine::new(&self.rules, &options)?)
            }
        };
        let clock = ask.clocks.0.into_iter().flatten().next().and_then(|_| {
            let color = match position.side_to_move() {
                variant::Color::White => Color::White,
                variant::Color::Black => Color::Black,
            };
            ask.clocks[color]
        });
        let mut limits = match ask.level {
            Some(level) => variant_limits(level, clock),
            None => engine::Limits::default(),
        };
        limits.nodes = ask.nodes;
        limits.move_time = ask.move_time.or(limits.move_time);
        let signals = Arc::new(engine::Signals::default());
        let found: Arc<Mutex<Found>> = Arc::default();
        let (controls, shared) = (Controls::from(Arc::clone(&signals)), Arc::clone(&found));
        let position = position.clone();
        let search = move || {
            let best = engine.search(&position, &limits, &signals, |info| {
                let pv = info.pv.iter().copied().map(AnyMove::Variant).collect();
                let lines = vec![FoundLine { worth: Worth::Variant(info.value), pv }];
                let (depth, nodes, time) = (info.depth, info.nodes, info.time);
                *shared.lock() = Found { depth, nodes, time, lines };
            });
            (engine, best)
        };
        let thread = thread::Builder::new().name("variant".into()).spawn(search)?;
        self.running = Some(Running { thread, controls, found });
        Ok(())
    }

    fn finish(&mut self) -> Option<Answer> {
        let running = self.running.take()?;
        let found = running.found;
        // After a panic in the search the engine is made anew.
        let Ok((engine, best)) = running.thread.join() else {
            return Some(Answer { best: None, found: found.lock().clone() });
        };
        self.idle = Some(engine);
        let found = found.lock().clone();
        Some(Answer { best: best.best.map(AnyMove::Variant), found })
    }

    fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.controls.stop();
        }
        self.finish();
    }
}

impl Drop for VariantSeeker {
    fn drop(&mut self) {
        self.stop();
    }
}
