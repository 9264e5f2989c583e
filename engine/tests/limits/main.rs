//! Times and sizes: how fast the engine answers, and how much it takes.
//!
//! Nothing else of ours runs beside one of these tests. Within this program each holds [`alone`]
//! from beginning to end, as `cargo test` needs it; nextest, which runs each in a process of its
//! own, has a test group for them that takes all its threads. Figures are those of the clock,
//! less a little where other programs keep the engine from running (`support/delay.rs`). Each
//! figure gets one more try; on a machine that is busy with other work some may fail all the same.

#[path = "../support/mod.rs"]
mod support;

mod clock;
mod endings;
mod games;
mod latency;
mod resources;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits for its turn; the next test has to wait until the guard is dropped.
///
/// # Panics
/// If nextest runs the test outside of its group, beside others.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    if let Ok(group) = std::env::var("NEXTEST_TEST_GROUP") {
        assert_eq!(group, "alone", "nextest runs others beside this test: .config/nextest.toml");
    }
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
