//! Searches of variants, each in a thread of its own.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;
use tamarin_eval::ScoreValue;
use tamarin_search::Controls;
use tamarin_variant as variant;
use tamarin_variant_search as engine;

use super::{Answer, Ask, Found, FoundLine, SearcherError, Worth};
use crate::ending::color_of;
use crate::position::Move;

/// A search of a variant in a thread of its own.
struct Running {
    thread: JoinHandle<(Box<engine::Engine>, engine::BestMove)>,
    controls: Controls,
    found: Arc<Mutex<Found>>,
}

/// A search engine of a variant.
pub struct VariantSearcher {
    evaluator: engine::AnyEvaluator,
    hash: usize,
    threads: usize,
    idle: Option<Box<engine::Engine>>,
    running: Option<Running>,
}

impl VariantSearcher {
    /// An engine for the game of what evaluates it; its memory is taken when it first searches.
    pub const fn new(evaluator: engine::AnyEvaluator, hash: usize, threads: usize) -> Self {
        Self { evaluator, hash, threads, idle: None, running: None }
    }

    /// Returns `true` if a search runs whose answer has not been taken.
    pub const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// What it has found so far.
    pub fn found(&self) -> Found {
        let running = self.running.as_ref();
        running.map(|running| running.found.lock().clone()).unwrap_or_default()
    }

    /// The answer of a search that has ended.
    pub fn answer(&mut self) -> Option<Answer> {
        match &self.running {
            Some(running) if running.thread.is_finished() => self.finish(),
            _ => None,
        }
    }

    /// Starts a search; one that runs is stopped first, and its answer lost.
    pub fn start(&mut self, position: &variant::Position, ask: &Ask) -> Result<(), SearcherError> {
        self.stop();
        let mut engine = match self.idle.take() {
            Some(engine) => engine,
            None => {
                let (hash_mib, threads) = (self.hash, self.threads);
                let options = engine::Options { hash_mib, threads, ..engine::Options::default() };
                Box::new(engine::Engine::with_evaluator(self.evaluator.clone(), &options)?)
            }
        };
        let clock = ask
            .clocks
            .0
            .into_iter()
            .flatten()
            .next()
            .and_then(|_| ask.clocks[color_of(position.side_to_move())]);
        let mut limits = match ask.level {
            Some(level) => level.variant_limits(clock),
            None => engine::Limits::default(),
        };
        limits.nodes = ask.nodes;
        limits.depth = ask.depth.or(limits.depth);
        limits.move_time = ask.move_time.or(limits.move_time);
        let signals = Arc::new(engine::Signals::default());
        let found: Arc<Mutex<Found>> = Arc::default();
        let (controls, shared) = (Controls::from(Arc::clone(&signals)), Arc::clone(&found));
        let position = position.clone();
        let lines = ask.lines;
        let search = move || {
            let tell = |mut found: Found| {
                let mut shared = shared.lock();
                found.considered = std::mem::take(&mut shared.considered);
                if let Some(first) = found.lines.first().and_then(|line| line.pv.first()) {
                    found.considered.retain(|mv| mv != first);
                    found.considered.insert(0, *first);
                }
                *shared = found;
            };
            let best = match lines {
                0 | 1 => engine.search(&position, &limits, &signals, |info| {
                    let pv = info.pv.iter().copied().map(Move::Variant).collect();
                    let lines = vec![FoundLine { worth: Worth::Variant(info.value), pv }];
                    let (depth, nodes, time) = (info.depth, info.nodes, info.time);
                    tell(Found { depth, nodes, time, lines, ..Found::default() });
                }),
                _ => ranked(
                    &mut engine,
                    &Root { position: &position, limits, lines },
                    &signals,
                    tell,
                ),
            };
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
            return Some(Answer { found: found.lock().clone(), ..Answer::default() });
        };
        self.idle = Some(engine);
        let found = found.lock().clone();
        Some(Answer { best: best.mv.map(Move::Variant), found, ..Answer::default() })
    }

    /// What ends the search that runs, from any thread.
    pub fn controls(&self) -> Option<Controls> {
        self.running.as_ref().map(|running| running.controls.clone())
    }

    /// Forgets what earlier games have taught; a search that runs is stopped.
    pub fn new_game(&mut self) {
        self.stop();
        self.idle.iter_mut().for_each(|engine| engine.new_game());
    }

    /// Ends a search at once; its answer is lost.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.controls.stop();
        }
        self.finish();
    }
}

impl Drop for VariantSearcher {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What several lines are wanted of.
struct Root<'a> {
    position: &'a variant::Position,
    limits: engine::Limits,
    /// How many, at least 2.
    lines: usize,
}

/// Several best lines: each iteration searches the root once for every line, without the first
/// moves of the lines before. `tell` is called after each iteration.
fn ranked(
    engine: &mut engine::Engine,
    root: &Root<'_>,
    signals: &engine::Signals,
    tell: impl Fn(Found),
) -> engine::BestMove {
    let most = root.limits.depth.unwrap_or(engine::MAX_PLY as u32 - 1);
    // Without a legal move this is all there is to say.
    let mut best = engine.search(root.position, &engine::Limits::nodes(1), signals, |_| ());
    for depth in 1..=most {
        let mut moves = root.position.legal_moves();
        let mut lines: Vec<(ScoreValue, Vec<variant::Move>)> = Vec::new();
        while lines.len() < root.lines && !moves.is_empty() {
            let nodes = root.limits.nodes.map(|most| most.saturating_sub(best.nodes).max(1));
            let limits = engine::Limits {
                depth: Some(depth),
                nodes,
                search_moves: moves.clone(),
                ..root.limits.clone()
            };
            let answer = engine.search(root.position, &limits, signals, |_| ());
            best.nodes += answer.nodes;
            if answer.depth < depth {
                return best;
            }
            moves.retain(|mv| Some(*mv) != answer.mv);
            lines.push((answer.value, answer.pv.clone()));
            if lines.len() == 1 {
                best = engine::BestMove { nodes: best.nodes, ..answer };
            }
        }
        // A later search may have seen more than an earlier one.
        lines.sort_by_key(|(value, _)| std::cmp::Reverse(Worth::Variant(*value).score()));
        let line = |(value, pv): (ScoreValue, Vec<variant::Move>)| FoundLine {
            worth: Worth::Variant(value),
            pv: pv.into_iter().map(Move::Variant).collect(),
        };
        let lines = lines.into_iter().map(line).collect();
        let (nodes, time) = (best.nodes, signals.elapsed());
        tell(Found { depth, nodes, time, lines, ..Found::default() });
    }
    best
}
