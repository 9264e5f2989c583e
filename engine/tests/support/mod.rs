//! What the process-level suites share: the engine behind pipes, readers of its lines, an oracle.

#![allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "each test binary uses its own part of this module"
)]

pub mod book_file;
pub mod check;
pub mod engine;
pub mod files;
pub mod game;
pub mod info;
pub mod network_file;
pub mod notices;
pub mod oracle;
pub mod uci_storm;
pub mod unread;
pub mod xboard;
pub mod xboard_storm;

pub use engine::{Engine, Launch};
pub use oracle::Oracle;

use std::time::Duration;

pub const fn ms(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// The patience against hangs: how long a test waits for what has to come. Nothing else is judged
/// by time.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Things that an engine may be doing when its client goes away.
pub const STATES: [&str; 8] = [
    "",
    "position fen nonsense",
    "go infinite",
    "go ponder wtime 36000000 btime 36000000",
    "setoption name Threads value 3\nsetoption name MultiPV value 20\ngo infinite",
    "position fen 7k/8/6K1/8/8/8/8/1Q6 b - - 0 1\ngo infinite",
    "go infinite\nposition startpos moves d2d4\ngo infinite\nisready",
    "go ponder wtime 60 btime 60\nponderhit",
];

/// How often to do something: what the environment variable says, else `usual`; `make prove` sets
/// them all.
pub fn times(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Sends a signal, such as `-TERM`, to a process.
#[cfg(unix)]
pub fn signal(process: u32, name: &str) {
    let id = process.to_string();
    let sent = std::process::Command::new("kill").args([name, &id]).status().expect("kill runs");
    assert!(sent.success(), "kill {name}");
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
