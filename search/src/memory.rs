//! What a thread keeps from one search to the next.

use tamarin_eval::Cache;

use crate::frame::Frames;
use crate::history::Histories;
use crate::pv::PvTable;

/// The tables of one thread.
pub(crate) struct Memory {
    /// The number of the thread, from 0; the first one leads.
    pub thread: usize,
    pub histories: Box<Histories>,
    pub cache: Cache,
    pub frames: Box<Frames>,
    pub pv: PvTable,
}

impl Memory {
    /// Empty tables for the given thread, or `None` if there is no memory for them.
    pub fn new(thread: usize) -> Option<Self> {
        let histories = Histories::new()?;
        // The rest is small and made by infallible allocations; make sure they will do.
        Vec::<u8>::new().try_reserve_exact(4 << 20).ok()?;
        Some(Self {
            thread,
            histories,
            cache: Cache::new(),
            frames: Box::new(Frames::new()),
            pv: PvTable::new(),
        })
    }

    /// Empties the tables, as for a new game.
    pub fn forget(&mut self) {
        match Histories::new() {
            // New zeros from the system cost less than writing over the old ones.
            Some(histories) => self.histories = histories,
            None => self.histories.clear(),
        }
        self.cache.clear();
    }
}
