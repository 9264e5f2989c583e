//! Opening what is read and creating what is written.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tamarin_base::files::{NewFile, Reader, Target, remove_unfinished_on_signal};

use super::{DataError, Game, GameReader, RawGame};
use crate::progress::Progress;

/// Larger networks, states and books are refused before they fill the memory.
pub(crate) const MAX_MEBIBYTES: u64 = 1024;

/// A file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{path}")]
pub struct FileError {
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
    #[error("the games hold {training} positions to learn from and {validation} to validate with")]
    TooFew {
        /// Positions to learn from.
        training: usize,
        validation: usize,
    },
    /// There is nothing to fit chances to, or the result of a game does not follow from the score.
    #[error(
        "the score does not tell who wins: at no score below 1,500 units half of the games are \
             won, or the games hold no position that is kept and has such a score"
    )]
    NoHalfWon,
    /// The memory is too little for the games.
    #[error("{parts} parts would be needed, which is too many: give --memory {needed} at least")]
    Memory {
        parts: u64,
        /// In MiB.
        needed: u64,
    },
}

/// Shows all games of all files in turn, with the bytes they were read from, and reports how
/// far it is.
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
pub(crate) fn replace_file(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let written = Target::of_user(path).and_then(|target| target.write(content, Reader::Awaited));
    written.map(drop).map_err(FileError::on(path))
}

/// The same for a file that nobody named, such as a state beside a result.
pub(crate) fn replace_own_file(path: &Path, content: &[u8]) -> Result<(), FileError> {
    let written = Target::of_program(path).and_then(|target| target.write(content, Reader::There));
    written.map(drop).map_err(FileError::on(path))
}

/// The size of files together, in bytes.
pub fn total_size(paths: &[PathBuf]) -> Result<u64, FileError> {
    let size = |path: &PathBuf| Ok(fs::metadata(path).map_err(FileError::on(path))?.len());
    paths.iter().map(size).sum()
}

/// A new file to write to; it is there once it is complete. Of one that Ctrl-C cuts short nothing
/// stays.
#[derive(Debug)]
pub struct Sink {
    path: PathBuf,
    output: BufWriter<NewFile>,
}

impl Sink {
    pub fn create(path: &Path) -> Result<Self, FileError> {
        // Before there is a file that could be left.
        remove_unfinished_on_signal();
        let created = Target::of_user(path).and_then(|target| match target.old() {
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
            None => target.create(),
        });
        let file = created.map_err(FileError::on(path))?;
        Ok(Self { path: path.to_owned(), output: BufWriter::with_capacity(1 << 20, file) })
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        self.output.write_all(bytes).map_err(FileError::on(&self.path))
    }

    /// Hands everything to the system, and gives the file its name.
    ///
    /// # Errors
    /// If the system refuses. Then there is no file.
    pub fn finish(self) -> Result<(), FileError> {
        let file = self.output.into_inner().map_err(io::IntoInnerError::into_error);
        file.and_then(NewFile::finish).map(drop).map_err(FileError::on(&self.path))
    }
}
