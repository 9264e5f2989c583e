//! Fitting the weights to games (Texel tuning): positions become sparse traces, gradient
//! descent (Adam) fits the weights to them, and the writer turns the weights into source.
//!
//! The caller reads games in whatever format, decides which positions are for training and
//! which for validation, and fixes the constant `k` of the sigmoid:
//!
//! ```
//! use std::ops::ControlFlow;
//! use tamarin_eval::tuning::{DataSet, Fit, GameResult, Settings, SparseTrace, current_weights};
//! use tamarin_movegen::Position;
//!
//! let mut training = DataSet::default();
//! let trace = SparseTrace::new(&Position::startpos()).unwrap();
//! training.push(&trace, 25.0, GameResult::WhiteWins);
//! let settings = Settings { epochs: 2, ..Settings::default() };
//! let mut fit = Fit::new(&training, settings, current_weights());
//! fit.run(|epoch| {
//!     println!("epoch {}: error {}", epoch.state.epochs, epoch.error);
//!     ControlFlow::Continue(())
//! });
//! let source = tamarin_eval::tuning::writer::source(&fit.state().weights, "an example.");
//! # assert!(source.contains("WEIGHTS"));
//! ```
//!
//! Source of the method: P. Österlund's Texel, see
//! <https://www.chessprogramming.org/Texel%27s_Tuning_Method>; of gradients over coefficients:
//! A. Grant, "Evaluation & Tuning in Chess Engines".

#[path = "../../train/src/fit/dataset.rs"]
mod dataset;
#[path = "../../train/src/fit/initial.rs"]
mod initial;
#[path = "../../train/src/fit/optimizer.rs"]
mod optimizer;
#[path = "../../train/src/fit/sparse.rs"]
mod sparse;
#[path = "../../train/src/wdl/win_model.rs"]
mod win_model;
#[path = "../../train/src/fit/writer.rs"]
pub mod writer;

use core::ops::Range;

use tamarin_movegen::Position;

use crate::weights::FAMILIES;

pub use dataset::{DataSet, GameResult, Sample};
pub use initial::initial_weights;
pub use optimizer::{
    EpochReport, Fit, FitState, LengthError, Settings, error, expected, fit_k, map_chunks,
    squared_errors,
};
pub use sparse::{Coefficient, NoTrace, SparseTrace, TraceView};
pub use win_model::WinModel;

pub use crate::params::LAZY_MARGIN;

/// One weight while it is being fitted: middlegame and endgame, in engine units.
pub type Pair = [f32; 2];

/// Is the result of the position known without any evaluation? Then neither weights nor network
/// are asked.
#[must_use]
pub fn is_known_endgame(position: &Position) -> bool {
    crate::endgame::known(position.board()).is_some()
}

/// The rows of the vector of weights: their names, `Family: row` as in the source that
/// [`writer::source`] makes, and where they lie.
pub fn rows() -> impl Iterator<Item = (String, Range<usize>)> {
    let rows = FAMILIES.iter().flat_map(|family| {
        family.rows.iter().map(|(name, length)| (format!("{}: {name}", family.name), *length))
    });
    rows.scan(0, |next, (name, length)| {
        let start = *next;
        *next += length;
        Some((name, start..*next))
    })
}

/// The weights of this build, in the order of the vector.
#[must_use]
pub fn current_weights() -> Vec<Pair> {
    crate::weights::WEIGHTS
        .iter()
        .map(|weight| [weight.middlegame() as f32, weight.endgame() as f32])
        .collect()
}
