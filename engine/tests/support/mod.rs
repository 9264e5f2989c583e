//! What the process-level suites share: the engine behind pipes, readers of its lines, an oracle.

#![allow(dead_code, unused_imports, reason = "each test binary uses its own part of this module")]

pub mod book_file;
pub mod check;
pub mod delay;
pub mod engine;
pub mod files;
pub mod info;
pub mod network_file;
pub mod oracle;
pub mod xboard;

pub use engine::{Engine, Launch};
pub use oracle::Oracle;

use std::time::Duration;

/// Milliseconds.
pub const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// Time that no healthy answer needs, even on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// Runs `attempt` once more if it fails, and panics with both complaints if it fails again.
///
/// Only for figures in milliseconds, which a busy machine may spoil once: a fault in the
/// engine fails both times.
pub fn retry_once(mut attempt: impl FnMut() -> Result<(), String>) {
    let Err(first) = attempt() else { return };
    println!("once more: {first}");
    let Err(second) = attempt() else { return };
    let others = if others_are_busy() { "; other programs are busy on this machine" } else { "" };
    panic!("{first}; and again: {second}{others}");
}

/// Do other programs use a good part of this machine? Ask while nothing of the test runs.
///
/// Linux tells; elsewhere the machine is taken to be idle.
pub fn others_are_busy() -> bool {
    /// Ticks of all cores: idle, and all.
    fn ticks() -> Option<(u64, u64)> {
        let text = std::fs::read_to_string("/proc/stat").ok()?;
        let line = text.lines().next()?.strip_prefix("cpu ")?;
        let fields: Vec<u64> =
            line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        Some((fields.get(3)? + fields.get(4)?, fields.iter().take(8).sum()))
    }
    let Some(before) = ticks() else { return false };
    std::thread::sleep(ms(150));
    let Some(after) = ticks() else { return false };
    let (idle, all) = (after.0 - before.0, after.1 - before.1);
    idle * 10 < all * 9
}

/// A linear congruential generator (the constants are Knuth's MMIX ones): the same sequence
/// for the same seed, everywhere.
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number in `0..bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    /// One of `items`.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
