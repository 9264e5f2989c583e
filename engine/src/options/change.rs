//! What setting an option changed, or why it was not set.

use std::io;

use tamarin_search::{NetworkMemoryError, TableError, TablebaseReport, ThreadsError};
use tamarin_uci::{Excerpt, OptionError};

use tamarin_game::book::BookError;
use tamarin_game::evaluator::NetworkError;
use tamarin_variant_search::LibraryError;

/// What setting an option changed.
#[derive(Debug)]
pub enum Change {
    /// The value is in force.
    InForce,
    /// The value is in force, and there is something to say about it.
    Told(String),
    /// These tablebases are in force.
    Tablebases(TablebaseReport),
    /// The variant in force begins anew, or it is standard chess again.
    Variant,
    /// Other variants can be chosen.
    Variants {
        /// The warnings about their files.
        warnings: Vec<String>,
        /// The one in force is among them and begins anew.
        begins: bool,
    },
}

/// Why an option was not set. It keeps its value.
#[derive(Debug, thiserror::Error)]
pub enum SetError {
    /// There is no such option, or its value is out of range or of another type.
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("{source}; Hash stays at {mebibytes} MiB")]
    Hash {
        /// The size in force, in MiB.
        mebibytes: usize,
        source: TableError,
    },
    #[error("{source}; Threads stays at {threads}")]
    Threads {
        /// The number in force.
        threads: usize,
        source: ThreadsError,
    },
    #[error("cannot write to {path:?} ({source}); Debug Log File unchanged")]
    Log { path: String, source: io::Error },
    #[error("cannot use {path:?} as a book ({source}); Book File unchanged")]
    Book { path: String, source: BookError },
    #[error("cannot use {path:?} as a network ({source}); EvalFile unchanged")]
    EvalFile { path: String, source: NetworkError },
    #[error("cannot use {path:?} as a network ({source}); EvalFile unchanged")]
    NetworkMemory { path: String, source: NetworkMemoryError },
    #[error("{source}; Evaluator unchanged")]
    Evaluator { source: NetworkMemoryError },
    #[error("option UCI_Variant: {name} is not a choice, the old value is kept{hint}")]
    Variant {
        name: Excerpt,
        /// A name like it, if there is one.
        hint: String,
    },
    #[error("{0}\nVariantPath unchanged")]
    Variants(#[from] LibraryError),
    /// A parameter of the search does not take the value.
    #[cfg(feature = "tune")]
    #[error(transparent)]
    Parameter(#[from] tamarin_search::ParameterError),
}
