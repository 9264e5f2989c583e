//! What the engines of the server are given.

use std::sync::{Arc, OnceLock};

use tamarin_game::evaluator::{EvaluatorChoice, EvaluatorKind};
use tamarin_game::position::Position;
use tamarin_game::search::{Searcher, SearcherError};
use tamarin_search::TablebaseProbe;
use tamarin_variant as variant;
use tamarin_variant_search as engine;
use tamarin_variant_search::evaluate::learned::Learned;

/// What every engine of the server is given.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Size of the transposition table, in MiB.
    pub hash: usize,
    pub threads: usize,
    /// What evaluates positions of chess, unless a player has an evaluator of its own.
    pub evaluator: EvaluatorChoice,
    /// Endgame tablebases, which all engines share.
    pub tablebases: TablebaseProbe,
    /// What evaluates positions of the variant of this session, if it was learned and does not come
    /// with the program.
    pub learned: Option<Arc<Learned>>,
    /// The address of the page for others in the local network, once they are let in.
    pub invitation: Arc<OnceLock<String>>,
}

impl Resources {
    /// Resources of this size, with the evaluator of the engine and without tablebases.
    pub fn new(hash: usize, threads: usize) -> Self {
        Self {
            hash,
            threads,
            evaluator: EvaluatorChoice::default(),
            tablebases: TablebaseProbe::default(),
            learned: None,
            invitation: Arc::default(),
        }
    }

    /// An engine for the game of a position, with an evaluator of this kind or the one of all.
    pub fn searcher(
        &self,
        position: &Position,
        kind: Option<EvaluatorKind>,
        threads: usize,
    ) -> Result<Searcher, SearcherError> {
        match position.rules() {
            None => {
                let network = match kind {
                    Some(kind) => self.evaluator.of_kind(kind).active_network(),
                    None => self.evaluator.active_network(),
                };
                Searcher::chess(self.hash, threads, network, &self.tablebases)
            }
            Some(rules) => Ok(Searcher::variant(self.evaluator(rules), self.hash, threads)),
        }
    }

    /// What evaluates positions of a variant.
    pub fn evaluator(&self, rules: &Arc<variant::Game>) -> engine::AnyEvaluator {
        engine::AnyEvaluator::playing(rules, self.learned.as_ref())
    }
}
