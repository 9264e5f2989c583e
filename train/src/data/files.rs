//! Files of games: reading one game at a time, and writing.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, IntoInnerError, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use tamarin_base::files::{NewFile, Target, remove_unfinished_on_signal};

use super::format::{HEADER, MAX_PLIES, PLY, Problem, decode};
use super::{Filter, Game};
use crate::error::{Context, Result};
use crate::parallel::thread_count;
use crate::report::Progress;

/// A file of games is not what it should be.
#[derive(Debug, thiserror::Error)]
#[error("{path}, byte {offset}")]
pub struct DataError {
    pub path: PathBuf,
    /// Where in the file, in bytes from 0.
    pub offset: u64,
    #[source]
    pub problem: Problem,
}

/// Reads a file of games from its beginning to its end.
pub struct GameReader<R = BufReader<File>> {
    input: R,
    path: PathBuf,
    offset: u64,
}

impl GameReader {
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let failed =
            |error| DataError { path: path.to_owned(), offset: 0, problem: Problem::Io(error) };
        let file = File::open(path).map_err(failed)?;
        Ok(Self::new(BufReader::with_capacity(1 << 20, file), path))
    }
}

impl<R: BufRead> GameReader<R> {
    /// Reads from any source; `path` is how errors call it.
    pub fn new(input: R, path: &Path) -> Self {
        Self { input, path: path.to_owned(), offset: 0 }
    }

    /// Where the next game begins, in bytes from the start of the file.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next game's bytes, without a look at what they say; `None` at the end of the file.
    ///
    /// # Errors
    /// If the file cannot be read or ends within a game. Then [`Self::offset`] still says
    /// where that game begins.
    pub fn next_raw(&mut self) -> Result<Option<Vec<u8>>, DataError> {
        let mut bytes = Vec::with_capacity(512);
        match self.input.fill_buf() {
            Ok([]) => return Ok(None),
            Ok(_) => {}
            Err(error) => return Err(self.error(0, error.into())),
        }
        self.append::<HEADER>(&mut bytes)?;
        while self.append::<PLY>(&mut bytes)? != [0; PLY] {
            if bytes.len() > HEADER + PLY * MAX_PLIES {
                return Err(self.error(bytes.len(), Problem::Endless));
            }
        }
        self.offset += bytes.len() as u64;
        Ok(Some(bytes))
    }

    /// What the bytes of the game say that was read last.
    pub fn decode(&self, bytes: &[u8]) -> Result<Game, DataError> {
        decode(bytes).map_err(|(after, problem)| {
            let offset = self.offset - bytes.len() as u64 + after as u64;
            DataError { path: self.path.clone(), offset, problem }
        })
    }

    fn append<const N: usize>(&mut self, bytes: &mut Vec<u8>) -> Result<[u8; N], DataError> {
        let mut part = [0; N];
        match self.input.read_exact(&mut part) {
            Ok(()) => {
                bytes.extend_from_slice(&part);
                Ok(part)
            }
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                Err(self.error(0, Problem::Truncated))
            }
            Err(error) => Err(self.error(bytes.len(), error.into())),
        }
    }

    /// Something is wrong `after` bytes after the beginning of the current game.
    fn error(&self, after: usize, problem: Problem) -> DataError {
        DataError { path: self.path.clone(), offset: self.offset + after as u64, problem }
    }
}

impl<R: BufRead> Iterator for GameReader<R> {
    type Item = Result<Game, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_raw().transpose().map(|raw| self.decode(&raw?))
    }
}

/// Larger networks, states and books are rejected before they fill the memory.
pub const MAX_MEBIBYTES: u64 = 1024;

/// The options of all commands that learn from games.
#[derive(clap::Args, Clone, Debug)]
pub struct Input {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Threads [default: one for every core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    pub filter: Filter,
}

impl Input {
    /// The number of threads asked for, or one for every core.
    pub fn threads(&self) -> usize {
        thread_count(self.threads)
    }
}

/// Shows all games of all files in turn, with the bytes they were read from, and reports how
/// far it is.
pub fn for_each_game(
    paths: &[PathBuf],
    mut visit: impl FnMut(&[u8], Game) -> Result<()>,
) -> Result<()> {
    const MIB: u64 = 1 << 20;
    let total = total_size(paths)?;
    let progress = Progress::new("MiB", total / MIB, 0);
    let (mut before, mut games) = (0, 0_u64);
    for path in paths {
        let mut reader = GameReader::open(path)?;
        while let Some(raw) = reader.next_raw()? {
            let game = reader.decode(&raw)?;
            visit(&raw, game)?;
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

pub fn total_size(paths: &[PathBuf]) -> Result<u64> {
    let size = |path: &PathBuf| Ok(fs::metadata(path).context(path.display())?.len());
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
    pub fn create(path: &Path) -> Result<Self> {
        // Before there is a file that could be left.
        remove_unfinished_on_signal();
        let created = Target::of_user(path).and_then(|target| match target.old() {
            Some(_) => Err(ErrorKind::AlreadyExists.into()),
            None => target.create(),
        });
        let file = created.context(path.display())?;
        Ok(Self { path: path.to_owned(), output: BufWriter::with_capacity(1 << 20, file) })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.output.write_all(bytes).context(self.path.display())
    }

    /// Hands everything to the system, and gives the file its name.
    ///
    /// # Errors
    /// If the system refuses. Then there is no file.
    pub fn finish(self) -> Result<()> {
        let file = self.output.into_inner().map_err(IntoInnerError::into_error);
        file.and_then(NewFile::finish).map(drop).context(self.path.display())
    }
}
