//! The engine as a player, with one search thread and without contempt, and what evaluates for it.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tamarin_base::files::read_stream;
use tamarin_eval::network::Network;
use tamarin_movegen::{Color, Position};
use tamarin_search::{BestMove, Limits, Reports, SearchOptions, Silent};

use crate::data::MAX_MEBIBYTES;
use crate::error::{Context, Result, reject};

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EvaluatorKind {
    /// The network of the engine, or that of --eval-file
    Network,
    /// The hand-crafted terms
    HandCrafted,
}

/// What the command line says of the evaluator, and what a recipe keeps of it.
#[derive(clap::Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EvaluatorArguments {
    /// What evaluates positions
    #[arg(long, value_enum, default_value_t = EvaluatorKind::Network, value_name = "EVALUATOR")]
    evaluator: EvaluatorKind,

    /// The network of this file instead of the engine's own
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    eval_file: Option<PathBuf>,

    /// The checksum of the network, which identifies it.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    network: Option<String>,
}

impl EvaluatorArguments {
    /// The network, or `None` for the hand-crafted terms. Of its file only the checksum is kept,
    /// so that a recipe does not depend on where the file lies.
    pub fn load(&mut self) -> Result<Option<Arc<Network>>> {
        let network = match (self.evaluator, self.eval_file.take()) {
            (EvaluatorKind::HandCrafted, None) => return Ok(None),
            (EvaluatorKind::HandCrafted, Some(path)) => {
                reject!("{} is a network, but the evaluator is to be hand-crafted", path.display())
            }
            (EvaluatorKind::Network, None) => Network::embedded(),
            (EvaluatorKind::Network, Some(path)) => {
                let bytes = read_stream(&path, MAX_MEBIBYTES).context(path.display())?;
                Arc::new(Network::from_bytes(&bytes).context(path.display())?)
            }
        };
        self.network = Some(format!("{:016x}", network.checksum()));
        Ok(Some(network))
    }
}

/// Limits in nodes: no iteration begins after `soft`, and the search ends after `hard`, wherever it
/// is.
pub fn node_limits(soft: u64, hard: u64) -> Limits {
    Limits { soft_nodes: Some(soft), nodes: Some(hard), ..Limits::default() }
}

/// An engine with one search thread, and the options of its searches.
pub struct Engine {
    engine: tamarin_search::Engine,
    pub options: SearchOptions,
}

impl Engine {
    /// An engine with a hash table of `hash` MiB that plays as it does in a game. It evaluates by
    /// this network, or by the hand-crafted terms.
    pub fn new(hash: usize, network: Option<&Arc<Network>>) -> Result<Self> {
        let engine = tamarin_search::Engine::prepared(1, hash, network.cloned())
            .context("the engine does not start")?;
        let reports = Reports::Minimal;
        let options = SearchOptions { contempt: 0, reports, ..SearchOptions::default() };
        Ok(Self { engine, options })
    }

    /// Forgets everything earlier searches left: hash table and histories.
    pub fn new_game(&mut self) {
        self.engine.new_game();
    }

    /// Searches a position, whose history counts for repetitions. With limits in nodes the
    /// answer depends on the position and the searches since [`Self::new_game`] alone.
    pub fn search(&mut self, position: &Position, limits: Limits) -> BestMove {
        self.engine.search(position, limits, &self.options, Box::new(Silent))
    }

    #[cfg(feature = "spsa")]
    pub fn set_parameter(&mut self, name: &str, value: i32) -> Result<()> {
        self.engine.set_parameter(name, value).context(format_args!("parameter {name}"))
    }
}

/// The score of a search of this position in engine units, White's view.
pub fn white_score(position: &Position, answer: &BestMove) -> i32 {
    match position.side_to_move() {
        Color::White => answer.score.units(),
        Color::Black => -answer.score.units(),
    }
}

/// The nodes of a search of a middlegame position to depth 9 with this evaluator. Engines of one
/// version that were built from different sources mostly differ in them.
pub fn fingerprint(network: Option<&Arc<Network>>) -> Result<u64> {
    const MIDDLEGAME: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let position = Position::from_fen(MIDDLEGAME).expect("invariant: a constant");
    let mut engine = Engine::new(16, network)?;
    Ok(engine.search(&position, Limits::depth(9)).nodes)
}
