//! Reading files of games, one game at a time.

use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use super::Game;
use super::decode::{self, HEADER, MAX_PLIES, PLY, Problem};

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

    /// The next game; `None` at the end of the file.
    pub fn next_game(&mut self) -> Result<Option<Game>, DataError> {
        let Some(raw) = self.next_raw()? else { return Ok(None) };
        self.decode(&raw).map(Some)
    }

    /// What the bytes of the game say that was read last.
    pub fn decode(&self, bytes: &[u8]) -> Result<Game, DataError> {
        decode::game(bytes).map_err(|(after, problem)| {
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
        self.next_game().transpose()
    }
}
