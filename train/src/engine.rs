//! The engine as a player of training games: one search thread, limits in nodes.

use tamarin_eval::Score;
use tamarin_movegen::{Move, Position};
use tamarin_search::{Collector, Idle, Limits, Reports, SearchOptions, StartError};

/// How long to think about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeLimits {
    /// No iteration begins after so many nodes.
    pub soft: u64,
    /// The search ends after so many nodes, wherever it is.
    pub hard: u64,
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// The move to play; `None` if there is no legal one.
    pub best: Option<Move>,
    /// Its score for the side to move.
    pub score: Score,
}

/// An engine with a single search thread.
pub(crate) struct Engine {
    /// Always there between two calls.
    idle: Option<Idle>,
    options: SearchOptions,
}

impl Engine {
    /// An engine with a hash table of `hash` MiB, without contempt and optimism: its
    /// scores are what the evaluation makes of the position and nothing else.
    pub fn new(hash: usize) -> Result<Self, StartError> {
        let mut idle = Idle::new()?;
        idle.set_hash(hash)?;
        let options = SearchOptions {
            contempt: 0,
            optimism: false,
            reports: Reports::Minimal,
            ..SearchOptions::default()
        };
        Ok(Self { idle: Some(idle), options })
    }

    /// Forgets everything earlier searches left: hash table and histories.
    pub fn new_game(&mut self) {
        if let Some(idle) = &mut self.idle {
            idle.new_game();
        }
    }

    /// Searches a position, whose history counts for repetitions. The answer depends on
    /// the position and the searches since the last [`Self::new_game`], on nothing else.
    pub fn search(&mut self, position: &Position, limits: NodeLimits) -> Answer {
        let limits =
            Limits { soft_nodes: Some(limits.soft), nodes: Some(limits.hard), ..Limits::default() };
        let collector = Collector::new();
        let idle = self.idle.take().expect("invariant: the engine is at rest between calls");
        let running = idle.go(position, limits, &self.options, collector.observer());
        self.idle = Some(running.wait());
        let answer = collector.best().expect("invariant: a search ends with an answer");
        Answer { best: answer.best, score: answer.score }
    }
}
