//! The engine that plays, in a thread of its own while it thinks.

use std::io;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tamarin_variant::{Move, Position};
use tamarin_variant_search::{Engine, Limits, Signals};

use crate::variant::thinking;

/// A search that runs, and the position that it is about.
struct Search {
    thread: JoinHandle<(Engine, Option<Move>)>,
    signals: Arc<Signals>,
    position: Position,
}

/// The engine that plays.
pub struct Opponent {
    /// Away while a search runs.
    engine: Option<Engine>,
    search: Option<Search>,
}

impl Opponent {
    /// One that does not think.
    pub const fn new(engine: Engine) -> Self {
        Self { engine: Some(engine), search: None }
    }

    pub const fn is_thinking(&self) -> bool {
        self.search.is_some()
    }

    /// Lets it think about a position, unless it does already.
    pub fn start(&mut self, position: &Position, limits: Limits) -> io::Result<()> {
        let Some(mut engine) = self.engine.take() else { return Ok(()) };
        let signals = Arc::new(Signals::default());
        let (own, about) = (Arc::clone(&signals), position.clone());
        let work = move || {
            let best = thinking::think(&mut engine, &about, &limits, &own).mv;
            (engine, best)
        };
        let thread = thread::Builder::new().name("variant".into()).spawn(work)?;
        self.search = Some(Search { thread, signals, position: position.clone() });
        Ok(())
    }

    /// It shall answer at once; whether it thinks.
    pub fn move_now(&self) -> bool {
        self.search.iter().for_each(|search| search.signals.stop());
        self.is_thinking()
    }

    /// Its move in this position once it has one; a search about another one is ended and its
    /// answer lost.
    pub fn answer(&mut self, position: &Position) -> Option<Move> {
        let search = self.search.as_ref()?;
        let is_wanted = search.position.same_as(position)
            && search.position.halfmoves() == position.halfmoves();
        if !is_wanted {
            search.signals.stop();
        }
        if !search.thread.is_finished() {
            return None;
        }
        let (engine, best) = match self.search.take()?.thread.join() {
            Ok(found) => found,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        self.engine = Some(engine);
        best.filter(|_| is_wanted)
    }
}

impl Drop for Opponent {
    fn drop(&mut self) {
        if let Some(search) = self.search.take() {
            search.signals.stop();
            // Nobody waits for its answer any more.
            let _ = search.thread.join();
        }
    }
}
