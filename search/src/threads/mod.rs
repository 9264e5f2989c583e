//! The threads of the search: asleep between searches, started once. The first one is the
//! main thread, which watches the limits and talks to the observer; the others are its
//! helper threads (lazy SMP).

pub(crate) mod data;
pub(crate) mod pool;
pub(crate) mod run;
pub(crate) mod shared;
mod vote;
pub(crate) mod wake;
pub(crate) mod worker;
