//! The learning loop: play games ([`datagen`]), fit the evaluation to them ([`fit`], [`wdl`]) or
//! train a network on them ([`net`]), and see in matches ([`mod@matches`]) what came of it.
//!
//! Games are kept in viriformat; [`data`] reads and writes it. The engine knows nothing
//! of this crate.
#![forbid(unsafe_code)]

use std::num::NonZeroUsize;
use std::thread;

mod checkpoint;
pub mod cli;
pub mod commands;
pub mod data;
pub mod datagen;
mod engine;
pub mod evaluator;
pub mod fit;
pub mod matches;
pub mod net;
mod progress;
#[cfg(feature = "spsa")]
pub mod spsa;
pub mod wdl;

pub use checkpoint::CheckpointError;

/// The version of the engine that plays here, as its `id name` says it.
pub const ENGINE: &str = env!("TAMARIN_VERSION");

/// The number of threads asked for, or one for every core.
fn thread_count(threads: Option<NonZeroUsize>) -> usize {
    threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}
