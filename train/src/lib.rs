//! The learning loop: play games ([`datagen`]), fit the evaluation to them ([`fit`], [`wdl`]) or
//! train a network on them ([`net`]), and see in matches ([`mod@matches`]) what came of it.
//!
//! Games are kept in viriformat; [`data`] reads and writes it. The engine knows nothing
//! of this crate. All tests are programs of their own, so that the library is compiled once: what
//! they look at is public.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

pub mod adamw;
pub mod beginner;
pub mod cli;
pub mod commands;
pub mod data;
pub mod datagen;
mod engine;
mod error;
pub mod fit;
pub mod import;
pub mod levels;
pub mod matches;
pub mod net;
mod numbers;
pub mod openings;
#[cfg(feature = "spsa")]
pub mod pairs;
mod parallel;
pub mod play;
mod report;
mod saved;
#[cfg(feature = "spsa")]
pub mod screen;
#[cfg(feature = "spsa")]
pub mod spsa;
pub mod stats;
pub mod wdl;

pub use error::TrainError;

/// The version of the engine that plays here, as its `id name` says it.
pub const ENGINE: &str = env!("TAMARIN_VERSION");
