//! The search of variants.

use std::sync::Arc;
use std::thread;

use tamarin_base::{Controls, Millis, Signals};
use tamarin_variant::{Game, Position};

use crate::any_evaluator::AnyEvaluator;
use crate::evaluate::learned::Learned;
use crate::evaluate::{Evaluator, Spec};
use crate::limits::{BestMove, Info, Limits};
use crate::search::{Engine, EngineError, Options};

/// Is told of a search.
pub trait Observer: Send {
    /// An iteration has ended, with these lines, best first.
    fn iteration(&mut self, lines: &[Info]);
    /// There is no memory for the engine as it was to be; a smaller one searches.
    fn refused(&mut self, error: &EngineError);
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
        self.prepare_until(rules, size, learned, &Arc::default())
    }

    /// The same, but a stop leaves the evaluator without values.
    fn prepare_until(
        &mut self,
        rules: &Arc<Game>,
        size: Size,
        learned: Option<&Arc<Learned>>,
        signals: &Arc<Signals>,
    ) -> Result<(), EngineError> {
        if self.fits(rules, size) {
            return Ok(());
        }
        // The old table goes first, so that its memory is free.
        self.0 = None;
        let evaluator = evaluator(rules, size.learned, learned, signals);
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

    /// Returns `true` if the engine for these rules is there in that size.
    fn fits(&self, rules: &Arc<Game>, size: Size) -> bool {
        let engine = self.0.as_ref();
        engine.is_some_and(|(own, engine)| *own == size && Arc::ptr_eq(engine.game(), rules))
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

    /// Searches in a thread of its own, with an engine as [`Self::prepare`] makes it, which is made
    /// there if need be. `meanwhile` is run once, with what stops the search; this returns when
    /// `meanwhile` has returned and the search has ended.
    ///
    /// # Errors
    /// If the search panicked. The engine is gone then.
    pub fn search(
        &mut self,
        (position, limits): (&Position, &Limits),
        signals: &Arc<Signals>,
        (size, learned): (Size, Option<&Arc<Learned>>),
        mut observer: impl Observer,
        meanwhile: impl FnOnce(Controls),
    ) -> Result<(), Unanswered> {
        thread::scope(|scope| {
            let think = || {
                let rules = position.game();
                let was_ready = self.fits(rules, size);
                if let Err(error) = self.prepare_until(rules, size, learned, signals) {
                    observer.refused(&error);
                }
                // After a stop so early the evaluator has no values: the next search needs another.
                let is_kept = was_ready || !signals.stopped();
                let Some((size, mut engine)) = self.0.take() else { return };
                let best =
                    engine.search(position, limits, signals, |lines| observer.iteration(lines));
                let time = signals.elapsed();
                if best.mv.is_some() {
                    signals.wait_until_answer_allowed();
                }
                observer.finished(&best, time);
                signals.finish();
                drop(observer);
                self.0 = is_kept.then_some((size, engine));
            };
            let thread = thread::Builder::new().name("search".into()).spawn_scoped(scope, think);
            meanwhile(Controls::from(Arc::clone(signals)));
            thread.map_err(|_| Unanswered)?.join().map_err(|_| Unanswered)
        })
    }
}

/// What evaluates positions: the learned evaluator of the file, or the one that comes with the
/// program, or what the rules alone give.
fn evaluator(
    rules: &Arc<Game>,
    use_learned: bool,
    learned: Option<&Arc<Learned>>,
    signals: &Arc<Signals>,
) -> AnyEvaluator {
    let embedded = || Learned::embedded(rules).map(Arc::new);
    match use_learned.then(|| learned.cloned().or_else(embedded)).flatten() {
        Some(learned) => AnyEvaluator::Learned(learned),
        None => Arc::new(Evaluator::until(rules, &Spec::standard(rules), signals)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{BestMove, EngineError, Info, Limits, Millis, Observer, Searcher, Signals, Size};
    use std::sync::Arc;
    use tamarin_variant::{Position, builtin};

    struct Asserting(Position);

    impl Observer for Asserting {
        fn iteration(&mut self, _: &[Info]) {}

        fn refused(&mut self, error: &EngineError) {
            panic!("{error}");
        }

        fn finished(&mut self, best: &BestMove, _: Millis) {
            assert!(best.mv.is_some_and(|mv| self.0.legal_moves().contains(&mv)));
        }
    }

    #[test]
    fn an_engine_whose_preparation_was_stopped_is_not_kept() {
        let rules = builtin("fide").unwrap();
        let mut searcher = Searcher::default();
        let size = Size { hash: 1, threads: 1, learned: false };
        for (is_stopped, is_kept) in [(true, false), (false, true), (true, true)] {
            let signals = Arc::new(Signals::default());
            let (position, limits) = (Position::start(&rules), Limits::depth(1));
            let observer = Asserting(position.clone());
            if is_stopped {
                signals.stop();
            }
            let ended =
                searcher.search((&position, &limits), &signals, (size, None), observer, |_| ());
            assert_eq!(ended, Ok(()));
            let evaluator = searcher.evaluator(&rules);
            assert_eq!(evaluator.is_some(), is_kept, "{is_stopped}");
            assert!(evaluator.is_none_or(|evaluator| evaluator.piece_values()[1] > 0));
        }
        let stopped = Arc::new(Signals::default());
        stopped.stop();
        assert_eq!(super::evaluator(&rules, false, None, &stopped).piece_values(), [0; 6]);
    }
}
