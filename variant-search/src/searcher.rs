//! The search of variants.

use std::sync::Arc;
use std::thread;

use tamarin_base::{Controls, Millis, Signals};
use tamarin_variant::{Game, Position};

use crate::any_evaluator::AnyEvaluator;
use crate::evaluate::learned::Learned;
use crate::limits::{BestMove, Info, Limits};
use crate::search::{Engine, EngineError, Options};

/// Is told of a search.
pub trait Observer: Send {
    /// An iteration has ended, with these lines, best first.
    fn iteration(&mut self, lines: &[Info]);
    /// The search has ended after that time, and may answer.
    fn finished(&mut self, best: &BestMove, time: Millis);
}

/// The engine for the variant in force: made when it is first needed, and again when the rules or
/// its size change.
#[derive(Default)]
pub struct Searcher(Option<(Size, Engine)>);

/// How large an engine is, and what may evaluate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Memory of the transposition table in MiB; 0 for no table.
    pub hash: usize,
    pub threads: usize,
    /// Whether learned evaluators are used.
    pub learned: bool,
}

/// The search panicked, or had no thread: the observer got no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the search ended without a move")]
pub struct Unanswered;

impl Searcher {
    /// Makes the engine for these rules in that size, if it is not there yet. `learned` is the
    /// evaluator from beside the file of the rules.
    ///
    /// # Errors
    /// If there is no memory for its table or its threads. Then it is made without a table, and with
    /// one thread if need be.
    pub fn prepare(
        &mut self,
        rules: &Arc<Game>,
        size: Size,
        learned: Option<&Arc<Learned>>,
    ) -> Result<(), EngineError> {
        let fits =
            |(own, engine): &(Size, Engine)| *own == size && Arc::ptr_eq(engine.game(), rules);
        if self.0.as_ref().is_some_and(fits) {
            return Ok(());
        }
        // The old table goes first, so that its memory is free.
        self.0 = None;
        let evaluator = evaluator(rules, size.learned, learned);
        let engine = |hash_mib, threads| {
            let options = Options { hash_mib, threads, ..Options::default() };
            Engine::with_evaluator(evaluator.clone(), &options)
        };
        let (engine, result) = match engine(size.hash, size.threads) {
            Ok(engine) => (engine, Ok(())),
            Err(error) => (engine(0, size.threads).or_else(|_| engine(0, 1))?, Err(error)),
        };
        // Where there is no memory, size 0 is kept, so that the next search tries again.
        let hash = if result.is_ok() { size.hash } else { 0 };
        self.0 = Some((Size { hash, ..size }, engine));
        result
    }

    /// What evaluates positions of these rules, if the engine for them is there.
    pub fn evaluator(&self, rules: &Arc<Game>) -> Option<&AnyEvaluator> {
        let (_, engine) = self.0.as_ref()?;
        Arc::ptr_eq(engine.game(), rules).then(|| engine.evaluator())
    }

    /// A new game begins: forgets what was learned in earlier ones.
    pub fn new_game(&mut self) {
        if let Some((_, engine)) = &mut self.0 {
            engine.new_game();
        }
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.0 = None;
    }

    /// Searches in a thread of its own, with the engine that [`Self::prepare`] has made.
    /// `meanwhile` is run once, with what stops the search; this returns when `meanwhile` has
    /// returned and the search has ended.
    ///
    /// # Errors
    /// If the search panicked. The engine is gone then.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        signals: &Arc<Signals>,
        mut observer: impl Observer,
        meanwhile: impl FnOnce(Controls),
    ) -> Result<(), Unanswered> {
        let mut engine = self.0.take();
        let ended = thread::scope(|scope| {
            let think = || {
                let Some((_, engine)) = &mut engine else { return };
                let best =
                    engine.search(position, limits, signals, |lines| observer.iteration(lines));
                let time = signals.elapsed();
                if best.mv.is_some() {
                    signals.wait_until_answer_allowed();
                }
                observer.finished(&best, time);
                signals.finish();
                drop(observer);
            };
            let thread = thread::Builder::new().name("search".into()).spawn_scoped(scope, think);
            meanwhile(Controls::from(Arc::clone(signals)));
            thread.map_err(|_| Unanswered)?.join().map_err(|_| Unanswered)
        });
        if ended.is_ok() {
            self.0 = engine;
        }
        ended
    }
}

/// What evaluates positions: the learned evaluator of the file, or the one that comes with the
/// program, or what the rules alone give.
fn evaluator(rules: &Arc<Game>, use_learned: bool, learned: Option<&Arc<Learned>>) -> AnyEvaluator {
    if use_learned { AnyEvaluator::playing(rules, learned) } else { AnyEvaluator::of_rules(rules) }
}
