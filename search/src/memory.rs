//! What a thread keeps from one search to the next.

use std::sync::Arc;

use tamarin_eval::PawnTable;

use crate::history::{SHARERS, SharedHistories, ThreadHistories};
use crate::pv::PvTable;
use crate::stack::SearchStack;

/// The tables of one thread.
pub(crate) struct Memory {
    /// The number of the thread, from 0; the first one leads.
    pub thread: usize,
    pub own: Box<ThreadHistories>,
    /// Common to the threads of a group of [`SHARERS`].
    pub shared: Arc<SharedHistories>,
    pub pawn_table: PawnTable,
    pub stack: Box<SearchStack>,
    pub pv: PvTable,
}

impl Memory {
    /// Empty tables for the given thread, beside those of its group, or `None` if there is
    /// no memory for them.
    pub fn new(thread: usize, shared: Arc<SharedHistories>) -> Option<Self> {
        let own = ThreadHistories::new()?;
        // The rest is small and made by infallible allocations; make sure they will do.
        Vec::<u8>::new().try_reserve_exact(4 << 20).ok()?;
        Some(Self {
            thread,
            own,
            shared,
            pawn_table: PawnTable::new(),
            stack: Box::new(SearchStack::new()),
            pv: PvTable::new(),
        })
    }

    /// Empties the tables, as for a new game.
    pub fn forget(&mut self) {
        self.own.clear();
        // Once for the whole group.
        if self.thread.is_multiple_of(SHARERS) {
            self.shared.clear();
        }
        self.pawn_table.clear();
    }
}
