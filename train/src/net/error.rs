//! Why there is no network.

use std::path::PathBuf;

use tamarin_eval::network::{self, ParametersError};

use crate::checkpoint::CheckpointError;
use crate::data::{DataError, FileError};

/// Why there is no trained network.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// The games are damaged.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The state cannot be kept, or an interrupted training was another one.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The games hold nothing to learn from.
    #[error("the games hold {training} positions to learn from and {validation} to validate with")]
    TooFew {
        /// Positions for the training.
        training: usize,
        /// Positions kept out of it.
        validation: usize,
    },
    /// The network to go on from cannot be used.
    #[error("{path}")]
    Start {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: network::FileError,
    },
    /// The network to go on from has another width or number of buckets than asked for.
    #[error("{path} has width {width} and {buckets} output buckets")]
    StartShape {
        /// The file.
        path: PathBuf,
        /// Its width.
        width: usize,
        /// Its output buckets.
        buckets: usize,
    },
    /// There is no such network.
    #[error("a network cannot be made so")]
    Parameters(#[from] ParametersError),
    /// What an interrupted training left has the parameters of another network.
    #[error("the interrupted training is of a network of another size")]
    StateSize,
}
