//! The network evaluator (NNUE): a feature transformer, whose outputs are kept in accumulators
//! and updated piece by piece, and one output neuron a bucket, all in whole numbers.
//!
//! `docs/network.md` draws the architecture and describes the file.

mod accumulators;
mod architecture;
mod breakdown;
mod file;
mod kernels;
mod parameters;
mod placement;
mod propagate;

pub use accumulators::AccumulatorStack;
pub use architecture::{
    BUCKETS, FEATURES, KING_BUCKETS, Orientation, QA, QB, UNITS_PER_LOGIT, bucket, features,
};
pub use breakdown::{NetworkBreakdown, PieceValue};
pub use file::{FileError, MAX_BYTES};
pub use parameters::{
    MAX_DESCRIPTION, MAX_FEATURE_WEIGHT, MAX_OUTPUT_BIAS, MAX_OUTPUT_WEIGHT, Network, Parameters,
    ParametersError, check_architecture,
};
