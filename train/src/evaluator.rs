//! Which evaluator plays: a network, or the hand-crafted terms.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tamarin_base::files::read_stream;
use tamarin_eval::network::{self, Network};

use crate::data::{FileError, MAX_MEBIBYTES};

/// The two evaluators.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum EvaluatorKind {
    /// The network of the engine, or that of --eval-file
    Network,
    /// The hand-crafted terms
    HandCrafted,
}

/// What the command line says of the evaluator, and what a recipe keeps of it.
#[derive(clap::Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EvaluatorArguments {
    /// What evaluates positions
    #[arg(long, value_enum, default_value_t = EvaluatorKind::Network, value_name = "EVALUATOR")]
    evaluator: EvaluatorKind,

    /// The network of this file instead of the engine's own
    #[arg(long, value_name = "FILE")]
    #[serde(skip)]
    eval_file: Option<PathBuf>,

    /// The checksum of the network, which identifies it.
    #[arg(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    network: Option<String>,
}

/// The evaluator cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluatorError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{path}")]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: network::FileError,
    },
    #[error("{0} is a network, but the evaluator is to be hand-crafted")]
    Unused(PathBuf),
}

impl EvaluatorArguments {
    /// The network, or `None` for the hand-crafted terms. Of its file only the checksum is kept,
    /// so that a recipe does not depend on where the file lies.
    pub(crate) fn load(&mut self) -> Result<Option<Arc<Network>>, EvaluatorError> {
        let network = match (self.evaluator, self.eval_file.take()) {
            (EvaluatorKind::HandCrafted, None) => return Ok(None),
            (EvaluatorKind::HandCrafted, Some(path)) => return Err(EvaluatorError::Unused(path)),
            (EvaluatorKind::Network, None) => Network::embedded(),
            (EvaluatorKind::Network, Some(path)) => {
                let bytes = read_stream(&path, MAX_MEBIBYTES).map_err(FileError::on(&path))?;
                let network = Network::from_bytes(&bytes);
                Arc::new(network.map_err(|source| EvaluatorError::Network { path, source })?)
            }
        };
        self.network = Some(format!("{:016x}", network.checksum()));
        Ok(Some(network))
    }
}
