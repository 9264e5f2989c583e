//! Tamarin's search: a lazy-SMP principal variation search over a shared transposition
//! table. It reports to an [`Observer`] and never prints.
//!
//! A search turns an [`Engine`] into a [`RunningSearch`] and back; what may only be changed between
//! searches can only be called between searches.
//!
//! ```
//! use tamarin_movegen::Position;
//! use tamarin_search::{Collector, Engine, Limits, SearchOptions, Silent};
//!
//! let mut engine = Engine::new()?;
//! let position = Position::startpos();
//! let options = SearchOptions::default();
//!
//! // Blocks until the search has ended by itself.
//! let answer = engine.search(&position, Limits::depth(5), &options, Box::new(Silent));
//! assert!(answer.mv.is_some());
//!
//! // Returns at once; the search can be stopped from here.
//! let collector = Collector::new();
//! let running = engine.go(&position, Limits::default(), &options, collector.observer());
//! running.stop();
//! let engine = running.wait();
//! assert!(collector.best().unwrap().mv.is_some());
//! # drop(engine);
//! # Ok::<(), tamarin_search::StartError>(())
//! ```

#![forbid(unsafe_code)]
// Neither threads nor a clock.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

mod engine;
mod hash_file;
mod history;
mod iterate;
mod limits;
mod mate;
mod node;
mod options;
mod order;
mod pv;
mod quiesce;
mod report;
mod root;
mod stack;
mod strength;
mod tablebases;
mod threads;
mod threats;
mod tt;

pub use engine::{Engine, RunningSearch, StartError};
pub use hash_file::{HashEvaluator, HashFileError, HashSummary};
pub use limits::Limits;
pub use mate::{MateGoal, MateLimits, MateMemoryError, MateVerdict, Prover};
pub use options::{
    CONTEMPT_RANGE, DEFAULT_CONTEMPT, Reports, SearchOptions, Strength, TablebaseOptions,
};
pub use report::{BestMove, Collector, CurrentMove, Note, Observer, OwnedReport, Report, Silent};
pub use strength::{RATINGS, rating_of_skill};
pub use tablebases::{
    Known, LeftOut, NoTablebases, TablebaseProbe, TablebaseProblem, TablebaseReport,
};
pub use tamarin_base::memory::{configure_heap, has_reserve};
pub use tamarin_base::panics;
#[cfg(feature = "tune")]
pub use tamarin_base::params::ParameterError;
pub use tamarin_base::params::{Origin, Tunable, parameters};
pub use tamarin_base::types::{MAX_DEPTH, MAX_PLY};
pub use tamarin_base::{Bound, Clock, Controls, HASH_RANGE, Millis, TableError, Wait};
pub use threads::pool::{NetworkMemoryError, THREADS_RANGE, ThreadsError};
