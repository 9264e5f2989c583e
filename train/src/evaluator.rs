//! Which evaluator plays: the hand-crafted terms, or the network of a file.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tamarin_eval::network::{self, Network};

use crate::data::FileError;

/// What the command line says, and what is kept beside the games.
#[derive(clap::Args, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct EvaluatorChoice {
    /// Evaluate by the network of this file instead of the hand-crafted terms
    #[arg(long, value_name = "FILE")]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    eval_file: Option<PathBuf>,

    /// Its shape, description and checksum: another network under the same name is noticed.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    network: Option<String>,
}

/// The network cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is no network.
    #[error("{path}")]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: network::FileError,
    },
}

impl EvaluatorChoice {
    /// Reads the network, if there is one.
    pub(crate) fn load(&mut self) -> Result<Option<Arc<Network>>, EvaluatorError> {
        let Some(path) = &self.eval_file else { return Ok(None) };
        let bytes = fs::read(path).map_err(FileError::on(path))?;
        let network = Network::from_bytes(&bytes)
            .map_err(|source| EvaluatorError::Network { path: path.clone(), source })?;
        self.network = Some(format!("{network:?}"));
        Ok(Some(Arc::new(network)))
    }
}
