//! Opening what is read and creating what is written.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{DataError, Game, GameReader, RawGame};
use crate::progress::Progress;

/// A file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{path}")]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What the system said.
    pub source: io::Error,
}

impl FileError {
    /// For `map_err`: the error of a work on this file.
    pub(crate) fn on(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |source| Self { path: path.to_owned(), source }
    }
}

/// Why a command that works on files of games ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GamesError {
    /// The games are damaged.
    #[error(transparent)]
    Data(#[from] DataError),
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The games hold nothing to learn from.
    #[error("the games hold {training} positions to learn from and {validation} to validate with")]
    TooFew {
        /// Positions to learn from.
        training: usize,
        /// Positions for validation.
        validation: usize,
    },
}

/// Shows all games of all files in turn, with the bytes they were read from, and tells how
/// far it is.
///
/// # Errors
/// The first thing that is wrong with a file, or what `visit` gives.
pub fn for_each_game<E: From<GamesError>>(
    paths: &[PathBuf],
    mut visit: impl FnMut(RawGame, Game) -> Result<(), E>,
) -> Result<(), E> {
    const MIB: u64 = 1 << 20;
    let damaged = |error: DataError| GamesError::from(error);
    let total = total_size(paths).map_err(GamesError::from)?;
    let progress = Progress::new("MiB", total / MIB);
    let (mut before, mut games) = (0, 0_u64);
    for path in paths {
        let mut reader = GameReader::open(path).map_err(damaged)?;
        while let Some(raw) = reader.next_raw().map_err(damaged)? {
            let game = reader.decode(&raw).map_err(damaged)?;
            visit(raw, game)?;
            games += 1;
            if games.is_multiple_of(256) {
                progress.advance((before + reader.offset()) / MIB, || format!("{games} games"));
            }
        }
        before += reader.offset();
    }
    progress.finish();
    Ok(())
}

/// Writes a file as a whole: whatever ends the program or the machine leaves the old content or
/// the new one.
///
/// # Errors
/// If the system refuses.
pub(crate) fn replace_file(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let mut fresh = path.as_os_str().to_owned();
    fresh.push(".new");
    let fresh = PathBuf::from(fresh);
    let write = || {
        let mut file = File::create(&fresh)?;
        file.write_all(content)?;
        file.sync_all()
    };
    write().map_err(FileError::on(&fresh))?;
    fs::rename(&fresh, path).map_err(FileError::on(path))
}

/// The size of files together, in bytes.
///
/// # Errors
/// If one is not there.
pub fn total_size(paths: &[PathBuf]) -> Result<u64, FileError> {
    let size = |path: &PathBuf| Ok(fs::metadata(path).map_err(FileError::on(path))?.len());
    paths.iter().map(size).sum()
}

/// A new file to write to.
#[derive(Debug)]
pub struct Sink {
    path: PathBuf,
    output: BufWriter<File>,
}

impl Sink {
    /// Creates a file.
    ///
    /// # Errors
    /// If it is there already, or the system refuses.
    pub fn create(path: &Path) -> Result<Self, FileError> {
        let file = File::create_new(path).map_err(FileError::on(path))?;
        Ok(Self { path: path.to_owned(), output: BufWriter::with_capacity(1 << 20, file) })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.output.write_all(bytes).map_err(FileError::on(&self.path))
    }

    /// Hands everything to the system.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn finish(mut self) -> Result<(), FileError> {
        self.output.flush().map_err(FileError::on(&self.path))
    }
}
