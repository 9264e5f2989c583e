//! The learning loop: play games ([`datagen`]), fit the evaluation to them ([`fit`], [`wdl`]) or
//! train a network on them ([`net`]), and see in matches ([`mod@matches`]) what came of it.
//!
//! Games are kept in viriformat; [`data`] reads and writes it. The engine knows nothing
//! of this crate.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

mod adamw;
pub mod beginner;
mod book;
mod checkpoint;
pub mod cli;
pub mod commands;
pub mod data;
pub mod datagen;
mod engine;
pub mod evaluator;
pub mod fit;
pub mod levels;
mod lock;
mod logistic;
pub mod matches;
pub mod net;
mod note;
mod numbers;
#[cfg(feature = "spsa")]
pub mod pairs;
mod parallel;
mod progress;
mod report;
#[cfg(feature = "spsa")]
pub mod screen;
#[cfg(feature = "spsa")]
pub mod spsa;
pub mod wdl;

pub use checkpoint::CheckpointError;
pub use lock::LockError;

/// The version of the engine that plays here, as its `id name` says it.
pub const ENGINE: &str = env!("TAMARIN_VERSION");
