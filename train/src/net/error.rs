//! Why there is no network.

use std::path::PathBuf;

use tamarin_eval::network::{self, ParametersError};

use crate::checkpoint::CheckpointError;
use crate::data::GamesError;
use crate::lock::LockError;

/// Why there is no trained network.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetError {
    /// The games cannot be read, or the result cannot be written.
    #[error(transparent)]
    Games(#[from] GamesError),
    /// The output cannot be had for oneself.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The state cannot be kept, or an interrupted training was another one.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("{0} is damaged; remove {0} and the file that ends in .positions.json to begin anew")]
    DamagedPart(PathBuf),
    #[error("{mib} MiB are too little memory for the positions: it takes {needed}")]
    Memory {
        /// The memory allowed.
        mib: u64,
        /// The least there has to be.
        needed: u64,
    },
    #[error("{path}")]
    Start { path: PathBuf, source: network::FileError },
    /// The initial network has another width or number of buckets than asked for, and not only none for
    /// kings.
    #[error("{path} has width {width}, {buckets} output and {king_buckets} king buckets")]
    StartShape { path: PathBuf, width: usize, buckets: usize, king_buckets: usize },
    #[error(
        "epoch {epoch}: a parameter is no finite number any more, so no network is written; lower \
         --rate or --decay"
    )]
    Diverged {
        /// Which, from 1.
        epoch: usize,
    },
    #[error("the parameters make no valid network")]
    Parameters(#[from] ParametersError),
    /// What an interrupted training left has the parameters of another network.
    #[error("the interrupted training is of a network of another size")]
    StateSize,
}
