//! What may be wrong with a game of a variant.

use std::path::PathBuf;

use tamarin_variant::FenError;
use tamarin_variant_search::EngineError;

use super::game::LoadError;
use tamarin_chess::variant_game::LibraryError;

/// Why there is no game.
#[derive(Debug, thiserror::Error)]
pub enum VariantFailure {
    /// Neither a variant nor a file.
    #[error("there is no variant or file {name:?}; {hint}")]
    Unknown {
        /// The name.
        name: String,
        /// Where to look.
        hint: String,
    },
    /// The file is no variant.
    #[error(transparent)]
    Library(#[from] LibraryError),
    /// The position does not fit the variant.
    #[error("bad position: {0}")]
    Position(#[from] FenError),
    /// The game cannot be loaded.
    #[error("{}: {source}", .path.display())]
    Load {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: LoadError,
    },
    /// There is no memory for the engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
}
