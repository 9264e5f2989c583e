//! An engine that searches in the caller's thread.

use core::iter;
use std::sync::Arc;

use tamarin_base::Wait;
#[cfg(feature = "tune")]
use tamarin_base::params::ParameterError;
use tamarin_base::params::Params;
use tamarin_eval::network::Network;
use tamarin_movegen::Position;

use crate::engine::StartError;
use crate::history::SharedHistories;
use crate::limits::Limits;
use crate::options::SearchOptions;
use crate::report::{BestMove, Silent};
use crate::tablebases::Tablebases;
use crate::threads::data::ThreadData;
use crate::threads::pool::ThreadsError;
use crate::threads::run::run_search;
use crate::threads::shared::{SearchRequest, SharedState};
use crate::threads::wake::{Children, ThreadTree};
use crate::tt::TranspositionTable;

/// An engine of a single thread, the caller's, for many short searches: it wakes no thread for a
/// search and waits for none, which takes a twentieth of the time of a search of 500 nodes.
///
/// Its answers are those of [`Engine`](crate::Engine) with one thread and without tablebases. The
/// caller's thread needs [`SEARCH_STACK`](crate::SEARCH_STACK) bytes of stack.
pub struct Solo {
    data: ThreadData,
    table: Arc<TranspositionTable>,
    tablebases: Arc<Tablebases>,
    params: Params,
}

impl Solo {
    /// An engine with an empty table of `hash` MiB that evaluates by this network, or by the
    /// hand-crafted terms.
    ///
    /// # Errors
    /// If the size is out of range or the system has no memory to give.
    pub fn new(hash: usize, network: Option<&Arc<Network>>) -> Result<Self, StartError> {
        let no_memory = ThreadsError::Memory { wanted: 1, kept: 0 };
        let histories = SharedHistories::new().map(Arc::new);
        let data = histories.and_then(|histories| ThreadData::new(0, histories, network));
        Ok(Self {
            data: data.ok_or(no_memory)?,
            table: Arc::new(TranspositionTable::new(hash, 0)?),
            tablebases: Arc::default(),
            params: Params::new(),
        })
    }

    /// Clears the table and the histories: the next search belongs to another game.
    pub fn new_game(&mut self) {
        self.data.clear();
        self.table.clear(0, 1);
    }

    /// Sets a number of the search by its name.
    ///
    /// # Errors
    /// If there is no such number, or the value is out of its range.
    #[cfg(feature = "tune")]
    pub fn set_parameter(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        self.params.set(name, value)
    }

    /// Searches `position`, whose history counts for repetitions, and returns the answer.
    ///
    /// Blocks until the search has ended by itself: `limits.wait` is ignored. With a node time
    /// the clock of `limits` is the caller's to keep: [`BestMove::nodes`] says what was used.
    pub fn search(
        &mut self,
        position: &Position,
        limits: Limits,
        options: &SearchOptions,
    ) -> BestMove {
        self.table.begin_search();
        let request = SearchRequest {
            position: position.clone(),
            limits: Limits { wait: Wait::No, ..limits },
            options: options.clone(),
            params: self.params,
            table: Arc::clone(&self.table),
            tablebases: Arc::clone(&self.tablebases),
            threads: 1,
        };
        let shared = Arc::new(SharedState::new(request, Box::new(Silent)));
        let no_helpers = Arc::new(ThreadTree::new(iter::empty()));
        run_search(&shared, &mut self.data, &Children::new(&shared, &no_helpers, 0));
        shared.answer().expect("invariant: a search whose observer returns has an answer")
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::Engine;

    #[test]
    fn it_answers_as_an_engine_with_one_thread() {
        let mut engine = Engine::new().unwrap();
        let network = Some(Network::embedded());
        engine.set_network(network.clone()).unwrap();
        engine.set_hash(1).unwrap();
        let mut solo = Solo::new(1, network.as_ref()).unwrap();
        let options = SearchOptions::default();
        let facts = |answer: BestMove| (answer.mv, answer.ponder, answer.score, answer.nodes);
        // Searches leave something behind: the second game is as the first if it is all cleared.
        for _ in 0..2 {
            engine.new_game();
            solo.new_game();
            let mut position = Position::startpos();
            for ply in 0..12 {
                let limits = Limits { soft_nodes: Some(300 + 100 * ply), ..Limits::default() };
                let answer = solo.search(&position, limits.clone(), &options);
                let expected = engine.search(&position, limits, &options, Box::new(Silent));
                assert_eq!(facts(answer), facts(expected), "ply {ply}");
                position.make(answer.mv.unwrap());
            }
        }
    }
}
