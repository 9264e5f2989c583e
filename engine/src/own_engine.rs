//! An engine of a command's own, beside the one that serves the client.

use std::sync::Arc;

use tamarin_eval::network::Network;
use tamarin_search::{Engine, StartError};

/// An engine with `threads` threads and a transposition table of `hash` MiB, which evaluates by a
/// network or by the hand-crafted terms. The memory of the table is taken at once.
pub fn start(
    threads: usize,
    hash: usize,
    network: Option<Arc<Network>>,
) -> Result<Engine, StartError> {
    let mut engine = Engine::new()?;
    engine.set_threads(threads)?;
    engine.set_hash(hash)?;
    engine.set_network(network)?;
    engine.prepare();
    Ok(engine)
}
