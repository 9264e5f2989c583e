//! The engine behind every protocol: the position, the options, the search.

use tamarin_movegen::{CastlingNotation, Position};
use tamarin_search::{Controls, Idle, Limits, Observer, StartError};

use crate::settings::Settings;

/// What a protocol session drives. It knows nothing of the protocol.
pub struct Engine {
    /// The transposition table and the search threads; `None` only while a search runs.
    idle: Option<Idle>,
    /// The options that are neither of the table nor of the threads.
    pub settings: Settings,
    /// The current position; `None` after one was rejected.
    pub position: Option<Position>,
}

impl Engine {
    /// An engine at the start position, with the default options.
    ///
    /// # Errors
    /// If not even one search thread can be started.
    pub fn new() -> Result<Self, StartError> {
        Ok(Self {
            idle: Some(Idle::new()?),
            settings: Settings::default(),
            position: Some(Position::startpos()),
        })
    }

    /// The table and the threads, between searches.
    ///
    /// # Panics
    /// After a panic in [`Self::search`], until [`Self::restart_search`].
    pub fn idle(&mut self) -> &mut Idle {
        self.idle.as_mut().expect("invariant: a search gives it back when it has ended")
    }

    /// Replaces table and threads by new ones with their default sizes: after a panic.
    ///
    /// # Errors
    /// If not even one search thread can be started.
    pub fn restart_search(&mut self) -> Result<(), StartError> {
        // The old ones go first, so that their memory and threads are free.
        self.idle = None;
        self.idle = Some(Idle::new()?);
        Ok(())
    }

    /// Searches `position`, whose history counts for repetitions. `meanwhile` is run once, with
    /// what stops the search; this returns when `meanwhile` has returned and the search has ended.
    pub fn search(
        &mut self,
        position: &Position,
        limits: Limits,
        observer: Box<dyn Observer>,
        meanwhile: impl FnOnce(Controls),
    ) {
        let options = self.settings.search_options();
        let idle = self.idle.take().expect("invariant: searches do not overlap");
        let running = idle.go(position, limits, &options, observer);
        meanwhile(running.controls());
        self.idle = Some(running.wait());
    }

    /// How castling moves are printed.
    pub const fn notation(&self) -> CastlingNotation {
        if self.settings.chess960 {
            CastlingNotation::KingTakesRook
        } else {
            CastlingNotation::Classic
        }
    }
}
