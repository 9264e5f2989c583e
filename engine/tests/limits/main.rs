//! Times and sizes: how fast the engine answers, and how much it takes.
//!
//! Nothing else of ours runs beside one of these tests: each holds [`alone`] from beginning to
//! end. On an idle machine the figures are those of the clock. Where other programs take a good
//! part of the machine, what they took is counted off, and each figure gets a third try.

#[path = "../support/mod.rs"]
mod support;

mod latency;
mod resources;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for its turn; the next test has to wait until the guard is dropped.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
