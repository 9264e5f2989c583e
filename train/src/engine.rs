//! The engine as a player: one search thread, nobody watches, no contempt.

use std::sync::Arc;
use std::thread;

use tamarin_eval::network::Network;
use tamarin_movegen::Position;
use tamarin_search::{BestMove, Limits, Reports, SearchOptions, Solo, StartError, Strength};

use crate::parallel::spawn_searching;

/// How long to think about a move of a training game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NodeLimits {
    /// No iteration begins after this number of nodes.
    pub soft: u64,
    /// The search ends after this number of nodes, wherever it is.
    pub hard: u64,
}

impl From<NodeLimits> for Limits {
    fn from(limits: NodeLimits) -> Self {
        Self { soft_nodes: Some(limits.soft), nodes: Some(limits.hard), ..Self::default() }
    }
}

/// An engine that searches in the caller's thread, which has to be one of
/// [`spawn_searching`](crate::parallel::spawn_searching).
pub(crate) struct Engine {
    solo: Solo,
    options: SearchOptions,
}

impl Engine {
    /// An engine with a hash table of `hash` MiB for training games: without optimism, too,
    /// its scores are what the evaluation makes of the position and nothing else.
    ///
    /// It evaluates by this network, or by the hand-crafted terms.
    pub fn for_training(hash: usize, network: Option<&Arc<Network>>) -> Result<Self, StartError> {
        Self::new(hash, network, false)
    }

    /// An engine that plays as it does in a game, this strong.
    pub fn of_strength(
        hash: usize,
        network: Option<&Arc<Network>>,
        strength: Strength,
    ) -> Result<Self, StartError> {
        let mut engine = Self::new(hash, network, true)?;
        engine.options.strength = strength;
        Ok(engine)
    }

    fn new(
        hash: usize,
        network: Option<&Arc<Network>>,
        optimism: bool,
    ) -> Result<Self, StartError> {
        let solo = Solo::new(hash, network)?;
        let reports = Reports::Minimal;
        let options = SearchOptions { contempt: 0, optimism, reports, ..SearchOptions::default() };
        Ok(Self { solo, options })
    }

    /// Forgets everything earlier searches left: hash table and histories.
    pub fn new_game(&mut self) {
        self.solo.new_game();
    }

    /// Searches a position, whose history counts for repetitions. With limits in nodes the
    /// answer depends on the position and the searches since [`Self::new_game`] alone.
    pub fn search(&mut self, position: &Position, limits: impl Into<Limits>) -> BestMove {
        self.solo.search(position, limits.into(), &self.options)
    }
}

/// The nodes of a search of a middlegame position to depth 9 with this evaluator. Engines of one
/// version that were built from different sources mostly differ in them.
pub(crate) fn fingerprint(network: Option<&Arc<Network>>) -> Result<u64, StartError> {
    const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let position = Position::from_fen(MIDDLEGAME).expect("invariant: a constant");
    let mut engine = Engine::new(16, network, true)?;
    let mut nodes = 0;
    let search = || nodes = engine.search(&position, Limits::depth(9)).nodes;
    thread::scope(|scope| spawn_searching(scope, search))?;
    Ok(nodes)
}

#[cfg(feature = "spsa")]
impl Engine {
    /// An engine with a hash table of `hash` MiB that plays as it does in a match, whose
    /// clock loses nothing on the way to it. If `node_time` is not zero, it is the number of nodes
    /// in a millisecond.
    pub fn for_match(
        hash: usize,
        network: Option<&Arc<Network>>,
        node_time: u64,
    ) -> Result<Self, StartError> {
        let mut engine = Self::new(hash, network, true)?;
        engine.options.node_time = node_time;
        engine.options.move_overhead = tamarin_search::Millis::new(2);
        Ok(engine)
    }

    pub fn set_parameter(
        &mut self,
        name: &str,
        value: i32,
    ) -> Result<(), tamarin_search::ParameterError> {
        self.solo.set_parameter(name, value)
    }
}
