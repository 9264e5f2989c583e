//! The search engine: idle, or running a search.

use std::sync::Arc;

#[cfg(feature = "tune")]
use tamarin_base::params::ParameterError;
use tamarin_base::params::Params;
use tamarin_base::{Controls, HASH_RANGE, TableError, Wait};
use tamarin_eval::network::Network;
use tamarin_movegen::{Color, PerColor, Position};

use self::node_clock::NodeClock;
use crate::limits::Limits;
use crate::options::SearchOptions;
use crate::report::{BestMove, Observer};
use crate::tablebases::{TablebaseProbe, TablebaseReport, Tablebases};
use crate::threads::pool::{NetworkMemoryError, ThreadPool, ThreadsError};
use crate::threads::shared::{SearchRequest, SharedState};
use crate::tt::TranspositionTable;

mod node_clock;
mod saved;

/// The default size of the transposition table, in MiB.
const DEFAULT_HASH: usize = 16;

/// The engine could not be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// There is no memory for the table.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The first thread could not be started.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// There is no memory for the network.
    #[error(transparent)]
    Network(#[from] NetworkMemoryError),
}

/// An engine that is not searching: its threads sleep, everything may be changed.
pub struct Engine {
    pool: ThreadPool,
    table: Arc<TranspositionTable>,
    tablebases: Arc<Tablebases>,
    params: Params,
    /// Whether the table's memory has been taken from the system.
    prepared: bool,
    /// The clock of the game if there is a node time.
    node_clock: NodeClock,
}

impl Engine {
    /// One thread and a table of 16 MiB, whose memory is taken as it is used.
    ///
    /// # Errors
    /// If the system has no memory or thread to give.
    pub fn new() -> Result<Self, StartError> {
        let table = Arc::new(TranspositionTable::new(DEFAULT_HASH, 0)?);
        Ok(Self {
            pool: ThreadPool::new(1)?,
            table,
            tablebases: Arc::default(),
            params: Params::new(),
            prepared: false,
            node_clock: NodeClock::default(),
        })
    }

    /// An engine with `threads` threads and a table of `hash` MiB, whose memory is taken at once,
    /// which evaluates by a network or by the hand-crafted terms.
    ///
    /// # Errors
    /// If the system has not that much memory or that many threads to give.
    pub fn prepared(
        threads: usize,
        hash: usize,
        network: Option<Arc<Network>>,
    ) -> Result<Self, StartError> {
        let mut engine = Self::new()?;
        engine.set_threads(threads)?;
        engine.set_hash(hash)?;
        engine.set_network(network)?;
        engine.prepare();
        Ok(engine)
    }

    /// Takes the table's memory from the system, so that the first search need not wait for
    /// it. Does nothing once the table is in use: what it holds is kept.
    pub fn prepare(&mut self) {
        if !self.prepared {
            self.zero_table();
        }
    }

    /// Gives the table's memory back to the system until it is used again, or
    /// [prepared](Self::prepare). It is empty then, and has the size it had.
    pub fn release_hash(&mut self) {
        if self.prepared
            && let Ok(table) = TranspositionTable::new(self.hash(), self.hash())
        {
            self.table = Arc::new(table);
            self.prepared = false;
        }
    }

    /// The table's size in MiB.
    pub fn hash(&self) -> usize {
        self.table.mib()
    }

    /// Replaces the table by an empty one of `mib` MiB, whose memory is taken at once if the old one
    /// had its own; does nothing if that is its size.
    ///
    /// # Errors
    /// If the size is out of range or the system has not so much memory. Then the table
    /// has the size it had; its contents are kept if there was room to try beside it.
    pub fn set_hash(&mut self, mib: usize) -> Result<(), TableError> {
        if mib == self.hash() {
            return Ok(());
        }
        // A table that was never used has taken no memory.
        let held = if self.prepared { self.hash() } else { 0 };
        let table = match TranspositionTable::new(mib, held) {
            // Less than there is can always be had, if not beside it.
            Err(TableError::Refused { .. }) if mib < self.hash() => {
                self.table = Arc::new(TranspositionTable::new(*HASH_RANGE.start(), self.hash())?);
                TranspositionTable::new(mib, self.hash())?
            }
            other => other?,
        };
        self.table = Arc::new(table);
        self.clear_hash();
        Ok(())
    }

    /// Empties the table, with all threads. One that is not used yet is empty, and its memory is not
    /// taken.
    pub fn clear_hash(&mut self) {
        if self.prepared {
            self.zero_table();
        }
    }

    /// Writes zeros to the whole table, with all threads, which takes its memory from the system.
    fn zero_table(&mut self) {
        self.pool.clear_table(&self.table);
        self.prepared = true;
    }

    /// How many threads search.
    pub fn threads(&self) -> usize {
        self.pool.len()
    }

    /// Changes the number of threads.
    ///
    /// # Errors
    /// If the number is out of range or the system refuses. Then it stays as it was.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), ThreadsError> {
        self.pool.resize(threads)
    }

    /// Replaces the endgame tablebases by those of all folders in `path`, which the platform's
    /// separator divides: `:`, on Windows `;`. An empty path leaves none.
    ///
    /// What cannot be used is left out and reported; searches do without it.
    pub fn set_tablebases(&mut self, path: &str) -> TablebaseReport {
        let (tablebases, report) = TablebaseProbe::load(path);
        self.share_tablebases(&tablebases);
        report
    }

    /// Replaces the endgame tablebases by these, which others may use as well.
    pub fn share_tablebases(&mut self, tablebases: &TablebaseProbe) {
        self.tablebases = tablebases.tables();
    }

    /// Evaluates by this network from the next search on, by the hand-crafted terms without one.
    ///
    /// Clears table and histories if that is another evaluator than before: they hold scores of
    /// the other one.
    ///
    /// # Errors
    /// If there is no memory for the accumulators of all threads. Then nothing is changed.
    pub fn set_network(&mut self, network: Option<Arc<Network>>) -> Result<(), NetworkMemoryError> {
        if self.pool.network() != network.as_ref() {
            self.pool.set_network(network)?;
            self.pool.clear_data();
            self.clear_hash();
        }
        Ok(())
    }

    /// Forgets what the game has left in nodes: with a node time the next clock counts.
    pub fn reset_node_clock(&mut self) {
        self.node_clock = NodeClock::default();
    }

    /// Clears the table and the histories: the next search belongs to another game.
    pub fn new_game(&mut self) {
        self.reset_node_clock();
        self.pool.clear_data();
        self.clear_hash();
    }

    /// Sets a number of the search by its name.
    ///
    /// # Errors
    /// If there is no such number, or the value is out of its range.
    #[cfg(feature = "tune")]
    pub fn set_parameter(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        self.params.set(name, value)
    }

    /// Starts a search of `position`, whose history counts for repetitions.
    ///
    /// Returns at once. The observer hears of the progress and, exactly once, of the end.
    pub fn go(
        mut self,
        position: &Position,
        limits: Limits,
        options: &SearchOptions,
        observer: Box<dyn Observer>,
    ) -> RunningSearch {
        let started = self.start(position, limits, options, observer);
        let controls = Controls::from(Arc::clone(&started.shared.signals));
        RunningSearch { controls, engine: Some(self), started }
    }

    /// Searches `position`, whose history counts for repetitions, and returns the answer.
    ///
    /// Blocks until the search has ended by itself: `limits.wait` is ignored.
    ///
    /// # Panics
    /// If the observer panicked before it was informed of the end.
    pub fn search(
        &mut self,
        position: &Position,
        limits: Limits,
        options: &SearchOptions,
        observer: Box<dyn Observer>,
    ) -> BestMove {
        let limits = Limits { wait: Wait::No, ..limits };
        let started = self.start(position, limits, options, observer);
        self.finish(&started);
        started.shared.answer().expect("invariant: a search whose observer returns has an answer")
    }

    fn start(
        &mut self,
        position: &Position,
        mut limits: Limits,
        options: &SearchOptions,
        observer: Box<dyn Observer>,
    ) -> Started {
        self.prepared = true;
        self.table.begin_search();
        let increment =
            self.draw_from_node_clock(&mut limits, position.side_to_move(), options.node_time);
        let request = SearchRequest {
            position: position.clone(),
            limits,
            options: options.clone(),
            params: self.params,
            table: Arc::clone(&self.table),
            tablebases: Arc::clone(&self.tablebases),
            threads: self.pool.len(),
        };
        let shared = Arc::new(SharedState::new(request, observer));
        self.pool.search(Arc::clone(&shared));
        Started { shared, increment }
    }

    /// Blocks until a search has ended, and takes its nodes off the node clock if it was for a
    /// move.
    fn finish(&mut self, started: &Started) {
        self.pool.wait_until_idle();
        if let (Some(increment), Some(nodes)) = (started.increment, started.shared.clock_nodes()) {
            self.node_clock.charge(nodes, increment);
        }
    }

    /// With a node time, replaces the clock by what the game has left in nodes. Gives the
    /// nodes that the increment adds after the move.
    fn draw_from_node_clock(&mut self, limits: &mut Limits, side: Color, rate: u64) -> Option<u64> {
        let clock = limits.clock(side).filter(|_| rate > 0)?;
        limits.clocks = PerColor([Some(self.node_clock.draw(clock, rate)); 2]);
        Some(clock.increment.get().saturating_mul(rate))
    }
}

/// A search that was started.
struct Started {
    shared: Arc<SharedState>,
    /// Nodes the move adds to the node clock, if there is one.
    increment: Option<u64>,
}

/// An engine that is searching.
///
/// Dropping it stops the search and waits for its end.
pub struct RunningSearch {
    controls: Controls,
    engine: Option<Engine>,
    started: Started,
}

impl RunningSearch {
    /// Ends the search: it answers as soon as it can.
    pub fn stop(&self) {
        self.controls.stop();
    }

    /// See [`Controls::ponder_hit`].
    pub fn ponder_hit(&self) {
        self.controls.ponder_hit();
    }

    /// Returns `true` if the search has given its answer.
    pub fn is_finished(&self) -> bool {
        self.controls.is_finished()
    }

    /// Something to steer the search with from another thread.
    pub fn controls(&self) -> Controls {
        self.controls.clone()
    }

    /// Blocks until the search has ended by itself or by a stop.
    pub fn wait(mut self) -> Engine {
        let mut engine = self.engine.take().expect("invariant: only wait and drop take it");
        engine.finish(&self.started);
        engine
    }
}

impl Drop for RunningSearch {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.stop();
            engine.pool.wait_until_idle();
        }
    }
}

#[cfg(test)]
mod tests;
