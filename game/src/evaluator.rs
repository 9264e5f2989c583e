//! What evaluates positions: the choice that the options make, and networks of files.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::search::Small;
use tamarin_base::files::open_plain;
use tamarin_base::memory::can_map;
use tamarin_eval::network::{FileError, MAX_BYTES, Network};

const HAND_CRAFTED: &str = "hand-crafted";
const NETWORK: &str = "network";

/// The kinds of evaluator.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum EvaluatorKind {
    /// Terms that have names, with weights fitted to games
    #[value(name = HAND_CRAFTED)]
    HandCrafted,
    /// A neural network trained on games (NNUE)
    #[value(name = NETWORK)]
    #[default]
    Network,
    /// One of a player with plain alpha-beta, which no option chooses.
    #[value(skip)]
    Small(Small),
}

impl EvaluatorKind {
    /// What options, arguments and programs call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HandCrafted => HAND_CRAFTED,
            Self::Network => NETWORK,
            Self::Small(small) => small.name(),
        }
    }

    /// Whether it is a small one, whose player has no book and no variants.
    pub const fn is_small(self) -> bool {
        matches!(self, Self::Small(_))
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        let large = [Self::HandCrafted, Self::Network].into_iter().find(|kind| kind.name() == name);
        large.or_else(|| Small::from_name(name).map(Self::Small))
    }
}

/// Why a file is not used as a network.
#[derive(Debug, thiserror::Error)]
pub enum NetworkError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// No network is that large.
    #[error("its {bytes} bytes are more than the {MAX_BYTES} of the largest network")]
    TooLarge {
        /// Its size.
        bytes: u64,
    },
    /// What is in it is no network.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Bytes that have to be free to read a network, whose allocations cannot fail without ending the
/// process.
const READING: usize = 16 << 20;

/// Reads the network at `path`.
pub fn read(path: &Path) -> Result<Network, NetworkError> {
    let file = open_plain(path)?;
    let bytes = file.metadata()?.len();
    let limit = MAX_BYTES as u64;
    if bytes > limit {
        return Err(NetworkError::TooLarge { bytes });
    }
    if !can_map(READING) {
        return Err(io::Error::from(io::ErrorKind::OutOfMemory).into());
    }
    let mut content = Vec::new();
    file.take(limit + 1).read_to_end(&mut content)?;
    Ok(Network::from_bytes(&content)?)
}

/// The choice in force.
#[derive(Clone, Default, Debug)]
pub struct EvaluatorChoice {
    /// What is to evaluate.
    pub kind: EvaluatorKind,
    /// The network of a file; `None` is the one inside the program.
    pub file: Option<Arc<Network>>,
    /// The file, for other processes.
    pub path: Option<PathBuf>,
}

impl EvaluatorChoice {
    /// The network that is loaded, whether it evaluates or not.
    pub fn loaded_network(&self) -> Arc<Network> {
        self.file.clone().unwrap_or_else(Network::embedded)
    }

    /// The same networks, but an evaluator of this kind.
    #[must_use]
    pub fn of_kind(&self, kind: EvaluatorKind) -> Self {
        Self { kind, ..self.clone() }
    }

    /// The network that evaluates; `None` if the hand-crafted terms do.
    pub fn active_network(&self) -> Option<Arc<Network>> {
        match self.kind {
            EvaluatorKind::HandCrafted | EvaluatorKind::Small(_) => None,
            EvaluatorKind::Network => Some(self.loaded_network()),
        }
    }
}

/// The file that the command line names is no network.
#[derive(Debug, thiserror::Error)]
#[error("cannot use {} as a network", .path.display())]
pub struct EvaluatorError {
    path: PathBuf,
    source: NetworkError,
}

/// What the command line may say about the evaluator.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug, Default)]
pub struct EvaluatorArguments {
    /// What evaluates positions [default: network]
    #[arg(long, value_enum, value_name = "KIND")]
    evaluator: Option<EvaluatorKind>,

    /// A network to use instead of the one inside this program
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

impl EvaluatorArguments {
    /// The file of the network, if they name one.
    pub fn file(&self) -> Option<&Path> {
        self.eval_file.as_deref()
    }

    /// The choice that they make.
    pub fn choice(&self) -> Result<EvaluatorChoice, EvaluatorError> {
        let file = match &self.eval_file {
            None => None,
            Some(path) => {
                let unusable = |source| EvaluatorError { path: path.clone(), source };
                Some(Arc::new(read(path).map_err(unusable)?))
            }
        };
        Ok(EvaluatorChoice { kind: self.kind(), file, path: self.eval_file.clone() })
    }

    /// What is to evaluate.
    pub fn kind(&self) -> EvaluatorKind {
        self.evaluator.unwrap_or_default()
    }
}

/// A network in words: its shape and where it comes from.
pub fn describe(network: &Network) -> String {
    let buckets = match network.buckets() {
        1 => "one output bucket".to_owned(),
        buckets => format!("{buckets} output buckets"),
    };
    // Other people's text: on one line and without control characters.
    let text: String = network.description().chars().filter(|c| !c.is_control()).collect();
    format!("Network: width {}, {buckets}: {text}", network.width())
}
