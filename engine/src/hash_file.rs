//! `savehash` and `loadhash`: what searches have learned, kept in a file.

use std::io;
use std::path::Path;

use tamarin_base::files::{Target, open_plain};
use tamarin_base::process::shutdown;
use tamarin_search::{HashFileError as FileError, HashSummary};

use crate::about::VERSION;
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
pub(crate) type HashCommand = fn(&mut Engine, &str) -> Result<String, HashFileError>;

/// Writes the table and the histories of a search of standard chess; what to say about it.
pub(crate) fn save(engine: &mut Engine, path: &str) -> Result<String, HashFileError> {
    if engine.game().as_chess().is_none() {
        return Err(HashFileError::Variant("savehash"));
    }
    check_output(engine, path)
        .and_then(|()| Target::of_user(Path::new(path)))
        .and_then(|target| save_to(engine.search_engine(), target))
        .map_err(|source| HashFileError::Save { path: path.to_owned(), source })
}

/// Reads the table and the histories for a search of standard chess; what to say about it.
pub(crate) fn load(engine: &mut Engine, path: &str) -> Result<String, HashFileError> {
    if engine.game().as_chess().is_none() {
        return Err(HashFileError::Variant("loadhash"));
    }
    load_from(engine.search_engine(), Path::new(path))
        .map_err(|source| HashFileError::Load { path: path.to_owned(), source })
}

/// Writes what an engine has learned to a file; what to say about it. The process does not end
/// before the file is complete.
///
/// # Errors
/// If it is no file, for nothing else can be loaded again, or cannot be written. Then an old file
/// stays as it was.
pub fn save_to(engine: &tamarin_search::Engine, target: Target) -> io::Result<String> {
    if target.is_stream() {
        let text = "it is a device or a pipe, not a file";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    shutdown::after_writing(|| {
        let mut file = target.create()?;
        let summary = engine.save_hash(&program(), &mut file)?;
        let old = file.finish()?.map(|old| format!("; {old}"));
        let HashSummary { entries, mebibytes, .. } = summary;
        Ok(format!("hash saved: {entries} entries of {mebibytes} MiB{}", old.unwrap_or_default()))
    })
}

/// Goes on with what an engine had learned that was saved in a file; what to say about it.
pub fn load_from(engine: &mut tamarin_search::Engine, path: &Path) -> Result<String, FileError> {
    let HashSummary { entries, kept, mebibytes, threads } =
        engine.load_hash(&program(), open_plain(path)?)?;
    let mut text = format!("hash loaded: {kept} entries");
    if kept < entries {
        text += &format!(", no room for {} more", entries - kept);
    }
    if mebibytes != engine.hash() as u64 {
        text += &format!("; it was saved with Hash {mebibytes}, {} is in force", engine.hash());
    }
    if threads as usize != engine.threads() {
        text += &format!("; it was saved with Threads {threads}, {} is in force", engine.threads());
    }
    Ok(text)
}

fn program() -> String {
    format!("Tamarin {VERSION}")
}
