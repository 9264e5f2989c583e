//! The variant that is played: its position and its engine.

use std::sync::Arc;
use std::thread;

use tamarin_uci::Excerpt;
use tamarin_variant::{Game, Move, MoveTextError, Position};
use tamarin_variant_search::{
    BestMove, Controls, Engine, EngineError, Info, Limits, Options, Signals,
};

/// A variant in force.
pub struct Player {
    name: String,
    game: Arc<Game>,
    /// The current position; `None` after one was rejected.
    pub position: Option<Position>,
    /// Made when it is first needed, and again when its size changes.
    engine: Option<(Size, Engine)>,
}

/// How large an engine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// Memory of the transposition table in MiB; 0 is none.
    pub hash: usize,
    /// Threads, 1 to 1024.
    pub threads: usize,
}

/// Hears of a search. If it panics, the observer is dropped without having been told its end.
pub trait Observer: Send {
    /// An iteration has ended.
    fn iteration(&mut self, info: &Info);

    /// The search has ended and may answer.
    fn finished(&mut self, best: &BestMove);
}

/// The search panicked, or had no thread: there was no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the search ended without a move")]
pub struct Unanswered;

impl Player {
    /// A variant at its start position.
    pub fn new(name: String, game: Arc<Game>) -> Self {
        Self { name, position: Some(Position::start(&game)), game, engine: None }
    }

    /// What clients call the variant.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its rules.
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The engine in that size.
    ///
    /// # Errors
    /// If there is no memory for its table.
    pub fn engine(&mut self, size: Size) -> Result<&mut Engine, EngineError> {
        let fits = |(own, _): &(Size, Engine)| *own == size;
        let engine = match self.engine.take().filter(fits) {
            Some((_, engine)) => engine,
            None => {
                let Size { hash, threads } = size;
                let options = Options { hash_mib: hash, threads, ..Options::default() };
                Engine::new(&self.game, &options)?
            }
        };
        Ok(&mut self.engine.insert((size, engine)).1)
    }

    /// A new game begins: forgets what was learned in earlier ones.
    pub fn new_game(&mut self) {
        if let Some((_, engine)) = &mut self.engine {
            engine.new_game();
        }
    }

    /// The table is emptied.
    pub fn drop_engine(&mut self) {
        self.engine = None;
    }

    /// Searches a position of this variant in a thread of its own, with an engine that
    /// [`Self::engine`] has made. `meanwhile` is run once, with what stops the search; this
    /// returns when `meanwhile` has returned and the search has ended.
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
        let mut engine = self.engine.take();
        let ended = thread::scope(|scope| {
            let think = || {
                let Some((_, engine)) = &mut engine else { return };
                let best =
                    engine.search(position, limits, signals, |info| observer.iteration(info));
                if best.best.is_some() {
                    signals.wait_until_answer_allowed();
                }
                observer.finished(&best);
                signals.finish();
                drop(observer);
            };
            let thread = thread::Builder::new().name("search".into()).spawn_scoped(scope, think);
            meanwhile(Controls::from(Arc::clone(signals)));
            thread.map_err(|_| Unanswered)?.join().map_err(|_| Unanswered)
        });
        if ended.is_ok() {
            self.engine = engine;
        }
        ended
    }
}

/// The legal move that a client means, in coordinates or in the manner of SAN.
///
/// # Errors
/// Why there is none, with no more of the text than its beginning.
pub fn find_move(position: &Position, text: &str) -> Result<Move, String> {
    position.parse_move(text).map_err(|error| match error {
        MoveTextError::Illegal(text) => {
            format!("{} is no legal move", Excerpt::from(text.as_str()))
        }
        other => other.to_string(),
    })
}
