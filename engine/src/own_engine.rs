//! An engine of a command's own, beside the one that serves the client.

use std::sync::Arc;

use tamarin_eval::network::Network;
use tamarin_search::{Idle, NetworkMemoryError, StartError, TableError, ThreadsError};

/// The engine cannot be had as it was asked for.
#[derive(Debug, thiserror::Error)]
pub enum OwnEngineError {
    /// It could not be started.
    #[error(transparent)]
    Start(#[from] StartError),
    /// There is not so much memory.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The system does not start so many threads.
    #[error(transparent)]
    Threads(#[from] ThreadsError),
    /// There is no memory for the network.
    #[error(transparent)]
    Network(#[from] NetworkMemoryError),
}

/// An engine with so many threads and a transposition table of so many MiB, which evaluates by a
/// network or by the hand-crafted terms.
///
/// # Errors
/// If the memory or the threads are not to be had.
pub fn start(
    threads: usize,
    hash: usize,
    network: Option<Arc<Network>>,
) -> Result<Idle, OwnEngineError> {
    let mut idle = Idle::new()?;
    idle.set_threads(threads)?;
    idle.set_hash(hash)?;
    idle.set_network(network)?;
    Ok(idle)
}
