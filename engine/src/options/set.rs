//! What the options do that are more than a number or a switch, and what comes of it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use tamarin_base::files::Target;
use tamarin_game::book::{Book, BookError};
use tamarin_game::evaluator::{self, EvaluatorChoice, EvaluatorKind, NetworkError};
use tamarin_search::{NetworkMemoryError, TableError, TablebaseReport, ThreadsError};
use tamarin_uci::{Excerpt, OptionError};
use tamarin_variant::nearest_builtin;
use tamarin_variant_search::LibraryError;

use crate::engine::Engine;

/// What setting an option changed.
#[derive(Debug)]
pub enum Change {
    /// The option has the value.
    InForce,
    /// The option has the value, and there is something to say about it.
    Told(String),
    /// The searches probe these tablebases.
    Tablebases(TablebaseReport),
    /// The current variant begins anew, or it is standard chess again.
    Variant,
    /// Other variants can be chosen.
    Variants {
        /// The warnings about their files.
        warnings: Vec<String>,
        /// The current one is among them and begins anew.
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
        /// The size that it keeps, in MiB.
        mebibytes: usize,
        source: TableError,
    },
    #[error("{source}; Threads stays at {threads}")]
    Threads {
        /// The number that it keeps.
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

/// The variant that is played; those of files are choices too.
pub const UCI_VARIANT: &str = "UCI_Variant";

pub fn set_hash(engine: &mut tamarin_search::Engine, mebibytes: usize) -> Result<(), SetError> {
    engine.set_hash(mebibytes).map_err(|source| SetError::Hash { mebibytes: engine.hash(), source })
}

pub fn set_threads(engine: &mut tamarin_search::Engine, threads: usize) -> Result<(), SetError> {
    engine
        .set_threads(threads)
        .map_err(|source| SetError::Threads { threads: engine.threads(), source })
}

/// Reads a book; without a path the built-in one is used again.
pub fn set_book(engine: &mut Engine, path: &str) -> Result<Change, SetError> {
    engine.book = match path {
        "" => None,
        _ => match Book::read(Path::new(path)) {
            Ok(book) => Some(book),
            Err(source) => return Err(SetError::Book { path: path.to_owned(), source }),
        },
    };
    engine.settings.book_file = named(path);
    Ok(Change::InForce)
}

/// The file of an option that is not empty.
fn named(path: &str) -> Option<PathBuf> {
    Some(path).filter(|path| !path.is_empty()).map(PathBuf::from)
}

/// Makes sure that what is written to `path` goes to none of the files that options name.
pub fn check_output(engine: &Engine, path: &str) -> io::Result<()> {
    let target = Target::of_user(Path::new(path))?;
    check_inputs(engine, &target)?;
    target.unlike(&engine.settings.log_file)
}

/// Writes both directions to the end of a file from now on; without a path to none.
pub fn set_log(
    engine: &mut Engine,
    log_to: impl FnOnce(&str) -> io::Result<()>,
    path: String,
) -> Result<(), SetError> {
    let log = named(&path);
    let check = |path: &PathBuf| check_inputs(engine, &Target::of_user(path)?);
    let opened = log.as_ref().map_or(Ok(()), check).and_then(|()| log_to(&path));
    opened.map_err(|source| SetError::Log { path, source })?;
    engine.settings.log_file = log;
    Ok(())
}

/// Makes sure that the target is none of the files that are read.
fn check_inputs(engine: &Engine, target: &Target) -> io::Result<()> {
    let settings = &engine.settings;
    target.unlike(settings.book_file.iter().chain(&settings.eval_file))?;
    target.unlike(engine.library.paths())?;
    target.unlike(settings.tablebase_folders.iter().flat_map(|folder| tablebases(folder)))
}

/// The files of tablebases in a folder.
fn tablebases(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let is_table = |path: &PathBuf| {
        path.extension().and_then(OsStr::to_str).is_some_and(|end| ["rtbw", "rtbz"].contains(&end))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_table)
}

pub fn set_tablebases(engine: &mut Engine, path: &str) -> Result<Change, SetError> {
    let report = engine.search_engine().set_tablebases(path);
    engine.settings.tablebase_folders = std::env::split_paths(path).collect();
    Ok(if path.is_empty() { Change::InForce } else { Change::Tablebases(report) })
}

pub fn set_evaluator(engine: &mut Engine, word: &str) -> Result<(), SetError> {
    let kind = EvaluatorKind::from_name(word).expect("invariant: a choice of the option");
    engine
        .set_evaluator(engine.evaluator.of_kind(kind))
        .map_err(|source| SetError::Evaluator { source })
}

/// Reads a network; without a path the one inside the program is used again.
pub fn set_eval_file(engine: &mut Engine, path: &str) -> Result<Change, SetError> {
    let file = match path {
        "" => None,
        _ => match evaluator::read(Path::new(path)) {
            Ok(network) => Some(Arc::new(network)),
            Err(source) => return Err(SetError::EvalFile { path: path.to_owned(), source }),
        },
    };
    let unused = match engine.evaluator.kind {
        EvaluatorKind::Network => "",
        _ => "; not in use: Evaluator is hand-crafted",
    };
    let text = file.as_deref().map(|network| evaluator::describe(network) + unused);
    if let Err(source) = engine.set_evaluator(EvaluatorChoice { file, ..engine.evaluator.clone() })
    {
        return Err(SetError::NetworkMemory { path: path.to_owned(), source });
    }
    engine.settings.eval_file = named(path);
    Ok(text.map_or(Change::InForce, Change::Told))
}

pub fn set_variant(engine: &mut Engine, name: Option<&str>) -> Result<Change, SetError> {
    let name = name.ok_or(OptionError::MissingValue { option: UCI_VARIANT })?.trim_ascii();
    if engine.set_variant(name) {
        return Ok(Change::Variant);
    }
    let near = nearest_builtin(name).map(|near| format!("; did you mean {near}?"));
    Err(SetError::Variant { name: name.into(), hint: near.unwrap_or_default() })
}

/// Reads files of variants. The current one begins anew if it is from a file and still there; else it
/// stays until another one is chosen.
pub fn set_variants(engine: &mut Engine, paths: &str) -> Result<Change, SetError> {
    let warnings = engine.library.read(paths)?;
    let name = engine.game().as_variant().map(|(name, _)| name.to_owned());
    let name = name.filter(|name| engine.library.has_file(name));
    let begins = name.is_some_and(|name| engine.set_variant(&name));
    Ok(Change::Variants { warnings, begins })
}
