//! `savehash` and `loadhash`: what searches have learned, kept in a file.

use std::io;
use std::path::Path;

use tamarin_base::files::Target;
use tamarin_game::about::NAME;
use tamarin_search::HashFileError as FileError;

use crate::engine::Engine;
use crate::options::check_output;

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

/// What is in force after a failure.
const fn kept(error: &FileError) -> &'static str {
    match error {
        FileError::Changed => "the hash table is empty now",
        _ => "the hash table is unchanged",
    }
}

/// A command that uses such a file: what to say about it.
pub type HashCommand = fn(&mut Engine, &str) -> Result<String, HashFileError>;

/// Writes the table and the histories of a search of standard chess; what to say about it.
pub fn save(engine: &mut Engine, path: &str) -> Result<String, HashFileError> {
    if engine.game().as_chess().is_none() {
        return Err(HashFileError::Variant("savehash"));
    }
    check_output(engine, path)
        .and_then(|()| Target::of_user(Path::new(path)))
        .and_then(|target| engine.search_engine().save_hash_file(NAME, target))
        .map_err(|source| HashFileError::Save { path: path.to_owned(), source })
}

/// Reads the table and the histories for a search of standard chess; what to say about it.
pub fn load(engine: &mut Engine, path: &str) -> Result<String, HashFileError> {
    if engine.game().as_chess().is_none() {
        return Err(HashFileError::Variant("loadhash"));
    }
    engine
        .search_engine()
        .load_hash_file(NAME, Path::new(path))
        .map_err(|source| HashFileError::Load { path: path.to_owned(), source })
}
