//! Searches of variants, each in a thread of its own.

use std::sync::Arc;
use std::thread::{self, JoinHandle};

use parking_lot::Mutex;
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
        limits.lines = ask.lines;
        limits.variety = ask.level.map(|_| ask.seed);
        let signals = Arc::new(engine::Signals::default());
        let found: Arc<Mutex<Found>> = Arc::default();
        let (controls, shared) = (Controls::from(Arc::clone(&signals)), Arc::clone(&found));
        let position = position.clone();
        let search = move || {
            let best = engine.search(&position, &limits, &signals, |lines| {
                let Some(first) = lines.first() else { return };
                let mut shared = shared.lock();
                (shared.depth, shared.nodes, shared.time) = (first.depth, first.nodes, first.time);
                shared.lines = lines.iter().map(found_line).collect();
                if let Some(first) = first.pv.first().copied().map(Move::Variant) {
                    shared.considered.retain(|mv| *mv != first);
                    shared.considered.insert(0, first);
                }
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

fn found_line(info: &engine::Info) -> FoundLine {
    let pv = info.pv.iter().copied().map(Move::Variant).collect();
    FoundLine { worth: Worth::Variant(info.value), pv }
}
