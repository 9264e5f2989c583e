//! What may be wrong with a game of a variant.

use std::path::PathBuf;

use tamarin_variant::FenError;
use tamarin_variant_search::EngineError;

use super::game::LoadError;
use tamarin_chess::variant_game::LibraryError;

/// Why there is no game.
#[derive(Debug, thiserror::Error)]
pub enum VariantFailure {
    #[error("there is no variant or file {name:?}; {hint}")]
    Unknown { name: String, hint: String },
    /// The file is no variant.
    #[error(transparent)]
    Library(#[from] LibraryError),
    #[error("bad position: {0}")]
    Position(#[from] FenError),
    #[error("{}: {source}", .path.display())]
    Load { path: PathBuf, source: LoadError },
    #[error(transparent)]
    Engine(#[from] EngineError),
}
