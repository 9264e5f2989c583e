//! What the searches of chess and of variants share: scores, the parameters ([`params`]) and
//! formulas ([`formula`]) of a search and the kinds of its nodes ([`types`]), time limits, the signals
//! that end a search, how its threads are woken, and the memory of transposition tables. Beside it
//! what a program needs of the process that it runs in: its end in time ([`process`]); and how files are
//! read and written ([`files`]). It knows no game.
//!
//! ```
//! use tamarin_base::{Bound, Buckets, Controls, Millis, Signals, Wait};
//! use std::sync::Arc;
//!
//! let signals = Arc::new(Signals::new(Wait::Ponder));
//! let controls = Controls::from(Arc::clone(&signals));
//! assert_eq!((signals.clock(), signals.clock_start()), (Millis::ZERO, None));
//! controls.ponder_hit();
//! assert!(signals.clock_start().is_some() && !signals.stopped());
//!
//! let buckets = Buckets::of_size(1, 0)?;
//! buckets.of(77)[0].store(77, Bound::Exact as u64);
//! assert_eq!(buckets.of(77)[0].load(), (77, 3));
//! # Ok::<(), tamarin_base::TableError>(())
//! ```

#![deny(unsafe_code)]
// Neither threads nor a clock.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

#[cfg(not(loom))]
mod buckets;
#[cfg(not(loom))]
pub mod files;
mod fnv;
pub mod formula;
#[cfg(not(loom))]
pub mod memory;
#[cfg(not(loom))]
mod message;
mod millis;
#[cfg(all(test, loom))]
mod models;
#[cfg(not(loom))]
pub mod node;
pub mod panics;
pub mod params;
#[cfg(not(loom))]
pub mod process;
mod score;
mod signals;
mod slot;
mod sync;
#[cfg(not(loom))]
mod table_size;
mod threads;
mod time_limits;
/// The transposition table (TT) of a search of any game: keys are 64 bits, moves 16.
#[cfg(not(loom))]
pub mod tt {
    mod entry;
    mod table;

    pub use entry::{DEPTH_OF_EVALUATION, ScoreContext, TableEntry};
    pub use table::TranspositionTable;
}
pub mod types;

#[cfg(not(loom))]
pub use buckets::{BUCKET_SIZE, Bucket, Buckets};
pub use fnv::Fnv1a;
#[cfg(not(loom))]
pub use message::{complain, counted, with_causes};
pub use millis::Millis;
pub use score::{Bound, Score, ScoreValue, UNITS_PER_PAWN, pawns};
pub use signals::{Controls, Signals};
pub use slot::Slot;
#[cfg(not(loom))]
pub use table_size::{HASH_RANGE, TableError};
pub use threads::{HelperResults, TaskSlot, ThreadTree, wait_until_all_idle};
pub use time_limits::{Clock, GameTime, Progress, TimeFactors, TimeLimits, Wait};
