//! What a thread keeps from one search to the next.

use std::sync::Arc;

use tamarin_eval::network::{AccumulatorStack, Network};
use tamarin_eval::{Evaluator, Score};
use tamarin_movegen::Color;

use crate::history::{SharedHistories, THREADS_PER_GROUP, ThreadHistories};
use crate::pv::PvTable;
use crate::stack::{SearchStack, StackEntry};

/// Bytes that must be free for the small tables of a thread, whose allocations cannot fail
/// without ending the process.
const SMALL_TABLES: usize = 4 << 20;

/// The tables of one thread.
pub(crate) struct ThreadData {
    /// The number of the thread, from 0; the first one is the main thread.
    pub thread: usize,
    pub histories: Arc<ThreadHistories>,
    /// Common to the threads of a group of [`THREADS_PER_GROUP`].
    pub shared_histories: Arc<SharedHistories>,
    pub evaluator: Evaluator,
    pub stack: Box<SearchStack>,
    pub pv: PvTable,
    /// The score of the last search of the game, and the side to move, whose it is.
    pub last_score: Option<(Color, Score)>,
}

impl ThreadData {
    /// Empty tables for the given thread, beside those of its group, or `None` if there is
    /// no memory for them. Without a network the hand-crafted terms evaluate.
    pub fn new(
        thread: usize,
        shared_histories: Arc<SharedHistories>,
        network: Option<&Arc<Network>>,
    ) -> Option<Self> {
        let histories = Arc::new(ThreadHistories::new()?);
        let accumulators = match network {
            Some(network) => Some(AccumulatorStack::new(Arc::clone(network))?),
            None => None,
        };
        Vec::<u8>::new().try_reserve_exact(SMALL_TABLES).ok()?;
        let mut evaluator = Evaluator::new();
        evaluator.set_network(accumulators);
        Some(Self {
            thread,
            histories,
            shared_histories,
            evaluator,
            stack: Box::new(SearchStack::new(&StackEntry::EMPTY)),
            pv: PvTable::new(),
            last_score: None,
        })
    }

    /// Empties the tables, as for a new game.
    pub fn clear(&mut self) {
        self.histories.clear();
        // Once for the whole group.
        if self.thread.is_multiple_of(THREADS_PER_GROUP) {
            self.shared_histories.clear();
        }
        self.evaluator.clear();
        self.last_score = None;
    }
}

#[cfg(test)]
impl ThreadData {
    /// Empty tables for the given thread, alone in its group, without a network.
    pub fn of_thread(thread: usize) -> Self {
        let histories = Arc::new(SharedHistories::new().unwrap());
        Self::new(thread, histories, None).unwrap()
    }
}
