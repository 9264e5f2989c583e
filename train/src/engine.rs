//! The engine as a player: one search thread, nobody watches, no contempt.

use std::sync::Arc;

use tamarin_eval::network::Network;
use tamarin_movegen::Position;
use tamarin_search::{BestMove, Idle, Limits, Reports, SearchOptions, Silent, StartError};

/// How long to think about a move of a training game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeLimits {
    /// No iteration begins after so many nodes.
    pub soft: u64,
    /// The search ends after so many nodes, wherever it is.
    pub hard: u64,
}

impl From<NodeLimits> for Limits {
    fn from(limits: NodeLimits) -> Self {
        Self { soft_nodes: Some(limits.soft), nodes: Some(limits.hard), ..Self::default() }
    }
}

/// An engine with a single search thread.
pub(crate) struct Engine {
    idle: Idle,
    options: SearchOptions,
}

impl Engine {
    /// An engine with a hash table of `hash` MiB for training games: without optimism, too,
    /// its scores are what the evaluation makes of the position and nothing else.
    pub fn for_training(hash: usize) -> Result<Self, StartError> {
        Self::new(hash, false)
    }

    fn new(hash: usize, optimism: bool) -> Result<Self, StartError> {
        let mut idle = Idle::new()?;
        idle.set_hash(hash)?;
        let reports = Reports::Minimal;
        let options = SearchOptions { contempt: 0, optimism, reports, ..SearchOptions::default() };
        Ok(Self { idle, options })
    }

    /// Evaluates by this network, or by the hand-crafted terms.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) -> Result<(), StartError> {
        Ok(self.idle.set_network(network)?)
    }

    /// Forgets everything earlier searches left: hash table and histories.
    pub fn new_game(&mut self) {
        self.idle.new_game();
    }

    /// Searches a position, whose history counts for repetitions. With limits in nodes the
    /// answer depends on the position and the searches since [`Self::new_game`] alone.
    pub fn search(&mut self, position: &Position, limits: impl Into<Limits>) -> BestMove {
        self.idle.search(position, limits.into(), &self.options, Box::new(Silent))
    }
}

#[cfg(feature = "spsa")]
impl Engine {
    /// An engine with a hash table of `hash` MiB that plays as it does in a match, whose
    /// clock loses nothing on the way to it.
    pub fn for_match(hash: usize) -> Result<Self, StartError> {
        let mut engine = Self::new(hash, true)?;
        engine.options.move_overhead = tamarin_search::Millis::new(2);
        Ok(engine)
    }

    /// Sets a parameter of the search.
    pub fn set_parameter(
        &mut self,
        name: &str,
        value: i32,
    ) -> Result<(), tamarin_search::ParameterError> {
        self.idle.set_parameter(name, value)
    }
}
