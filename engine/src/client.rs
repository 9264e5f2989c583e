//! The client that is served, and what the sessions of both protocols do alike.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tamarin_base::files::Target;
use tamarin_game::about::NAME;
use tamarin_search::HashFileError as FileError;
use tamarin_uci::SetOption;

use crate::engine::{Engine, WITHOUT_TABLE};
use crate::inbox::Inbox;
use crate::options::{self, Change, SetError, check_output};
use crate::output::Output;

/// How the sessions ended, all together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionEnd {
    /// All commands were carried out.
    Success,
    /// A command was rejected, or failed for a reason outside the engine.
    AfterError,
    /// A command was not carried out because of an error in the engine.
    AfterInternalError,
}

/// A client with the engine that serves it.
pub struct Client {
    pub engine: Engine,
    pub output: Arc<Output>,
    pub inbox: Arc<Inbox>,
    pub end: SessionEnd,
}

impl Client {
    /// A command was rejected or failed.
    pub const fn note_error(&mut self) {
        if matches!(self.end, SessionEnd::Success) {
            self.end = SessionEnd::AfterError;
        }
    }

    /// Sets an option and prints what there is to say about it, but for variants.
    ///
    /// # Errors
    /// Why the option keeps its value.
    pub fn set_option(&mut self, text: &SetOption) -> Result<Change, SetError> {
        let output = &self.output;
        let change = options::set(&mut self.engine, |path| output.log_to(path), text)?;
        match &change {
            Change::InForce | Change::Variant => {}
            Change::Told(text) => output.note(text),
            Change::Tablebases(report) => {
                output.note(&report.to_string());
                if let Some(left_out) = report.left_out_text() {
                    output.note(&left_out);
                }
            }
            Change::Variants { warnings, .. } => warnings.iter().for_each(|text| output.note(text)),
        }
        Ok(change)
    }

    /// Makes ready what the first search would have to wait for.
    pub fn prepare(&mut self) {
        if let Err(error) = self.engine.prepare() {
            self.note_error();
            self.output.note(&format!("error: {error}"));
            self.output.note(WITHOUT_TABLE);
        }
    }

    /// Carries out `savehash` or `loadhash`.
    pub fn use_hash_file(&mut self, command: HashCommand, path: &str) -> Result<(), HashFileError> {
        self.output.note(&command(&mut self.engine, path)?);
        Ok(())
    }
}

/// Why a hash table was not saved or loaded, and what there is instead.
#[derive(Debug, thiserror::Error)]
pub enum HashFileError {
    #[error("{0} is for standard chess only")]
    Variant(&'static str),
    #[error("cannot save the hash table as {path:?} ({source}); an old file is unchanged")]
    Save { path: String, source: io::Error },
    #[error("cannot load {path:?} ({source}); {}", kept(source))]
    Load { path: String, source: FileError },
}

/// What the engine goes on with after a failure.
const fn kept(error: &FileError) -> &'static str {
    match error {
        FileError::Changed => "the hash table is empty now",
        _ => "the hash table is unchanged",
    }
}

/// A command that uses such a file: what to say about it.
pub type HashCommand = fn(&mut Engine, &str) -> Result<String, HashFileError>;

/// Writes the table and the histories of a search of standard chess; what to say about it.
pub fn save_hash(engine: &mut Engine, path: &str) -> Result<String, HashFileError> {
    if engine.game().as_chess().is_none() {
        return Err(HashFileError::Variant("savehash"));
    }
    check_output(engine, path)
        .and_then(|()| Target::of_user(Path::new(path)))
        .and_then(|target| engine.search_engine().save_hash_file(NAME, target))
        .map_err(|source| HashFileError::Save { path: path.to_owned(), source })
}

/// Reads the table and the histories for a search of standard chess; what to say about it.
pub fn load_hash(engine: &mut Engine, path: &str) -> Result<String, HashFileError> {
    if engine.game().as_chess().is_none() {
        return Err(HashFileError::Variant("loadhash"));
    }
    engine
        .search_engine()
        .load_hash_file(NAME, Path::new(path))
        .map_err(|source| HashFileError::Load { path: path.to_owned(), source })
}
