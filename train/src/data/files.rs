//! Files of games: reading one game at a time, and writing.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, IntoInnerError, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use tamarin_base::files::{NewFile, Target, remove_unfinished_on_signal};
use tamarin_base::with_causes;

use super::format::{HEADER, MAX_PLIES, PLY, Problem, decode};
use super::packed::{Unpacker, is_packed};
use super::{Filter, Game};
use crate::error::{Context, Result};
use crate::parallel::thread_count;
use crate::report::{Progress, warn};

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

impl DataError {
    /// Returns `true` if a chunk of packed games is lost and the reader can go on behind it.
    pub const fn is_of_chunk(&self) -> bool {
        matches!(self.problem, Problem::DamagedChunk | Problem::CutChunk)
    }
}

/// Reads a file of games, in viriformat or packed, from its beginning to its end.
pub struct GameReader<R = BufReader<File>> {
    input: R,
    /// What reads packed games.
    unpacker: Option<Unpacker>,
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
        Self { input, unpacker: None, path: path.to_owned(), offset: 0 }
    }

    /// Returns `true` if the games read so far are packed.
    pub const fn is_packed(&self) -> bool {
        self.unpacker.is_some()
    }

    /// Where the next game begins, in bytes from the start of the file; of packed games where their
    /// chunk ends.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next game's bytes in viriformat, without a look at what they say; `None` at the end of
    /// the file.
    ///
    /// # Errors
    /// If the file cannot be read or ends within a game. Then [`Self::offset`] still says
    /// where that game begins. After the loss of a chunk of packed games it can be called again.
    pub fn next_raw(&mut self) -> Result<Option<Vec<u8>>, DataError> {
        match self.input.fill_buf() {
            Ok([]) if self.unpacker.is_none() => return Ok(None),
            Ok(bytes) if self.offset == 0 && is_packed(bytes) && self.unpacker.is_none() => {
                self.unpacker = Some(Unpacker::default());
            }
            Ok(_) => {}
            Err(error) => return Err(self.error(0, error.into())),
        }
        if let Some(unpacker) = &mut self.unpacker {
            let game = unpacker.next(&mut self.input, &mut self.offset);
            let raw = game.and_then(|game| {
                game.map(|game| game.encode().map_err(|_| Problem::DamagedChunk)).transpose()
            });
            return raw.map_err(|problem| self.error(0, problem));
        }
        let mut bytes = Vec::with_capacity(512);
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
            let begin = self.offset.saturating_sub(bytes.len() as u64);
            let offset = begin + after as u64;
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

/// Shows all games of all files in turn, with their bytes in viriformat, and reports how far it is,
/// and which chunks of packed games are lost.
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
        loop {
            let raw = match reader.next_raw() {
                Ok(Some(raw)) => raw,
                Ok(None) => break,
                Err(error) if error.is_of_chunk() => {
                    warn(format_args!("{}; its games are left out", with_causes(&error)));
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
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
    /// A file that must not be there yet.
    pub fn create(path: &Path) -> Result<Self> {
        Self::by(path, |target| match target.old() {
            Some(_) => Err(ErrorKind::AlreadyExists.into()),
            None => target.create(),
        })
    }

    /// A file that takes the place of what is there.
    pub fn replace(path: &Path) -> Result<Self> {
        Self::by(path, Target::create)
    }

    fn by(path: &Path, create: impl FnOnce(Target) -> io::Result<NewFile>) -> Result<Self> {
        // Before there is a file that could be left.
        remove_unfinished_on_signal();
        let file = Target::of_user(path).and_then(create).context(path.display())?;
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
