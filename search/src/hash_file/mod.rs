//! The transposition table and the histories as a file, so that a search goes on where it was in
//! another process.
//!
//! All numbers have their low byte first.
//!
//! ```text
//!  8  the letters TAMARINH
//!  4  version of this form
//!  1  length of the name of the program, and the name
//!  8  what decides the meaning of the rest in this build: keys, sizes
//!  8  checksum of the network; 0 for the hand-crafted terms
//!  8  size of the table in MiB
//!  4  threads
//!  1  generation of the last search
//!  8  entries of the table
//!     histories of each thread
//!     histories of each group of threads
//!     entries: key and data, 8 bytes each, empty places left out
//!  4  CRC-32 of all before
//! ```
//!
//! An entry has its whole key, so that it finds its place in a table of any size.

mod header;

use std::fmt;
use std::io::{self, Read, Write};

use crc32fast::Hasher;

pub(crate) use header::Header;

/// What a file holds, or what was read of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HashSummary {
    /// Entries of the table in the file.
    pub entries: u64,
    /// Those that are in the table.
    pub kept: u64,
    /// The size of the table that was saved, in MiB.
    pub mebibytes: u64,
    /// The threads whose histories the file has.
    pub threads: u32,
}

/// The evaluator that a table belongs to: another one has other scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HashEvaluator {
    /// The hand-crafted terms.
    HandCrafted,
    /// The network with this checksum.
    Network(u64),
}

impl fmt::Display for HashEvaluator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HandCrafted => f.write_str("the hand-crafted one"),
            Self::Network(checksum) => write!(f, "the network {checksum:016x}"),
        }
    }
}

/// Why a file was not loaded. Table and histories are as they were, but after
/// [`Changed`](Self::Changed).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HashFileError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as a saved hash table does.
    #[error("it is no saved hash table")]
    NoHashFile,
    /// It has another form.
    #[error("its format is {found}, and this program reads {here}")]
    Format {
        /// Its version.
        found: u32,
        /// The version of this program.
        here: u32,
    },
    /// Another version of the program saved it.
    #[error("it was saved by {found}, and this is {here}")]
    Program {
        /// That program.
        found: String,
        /// This one.
        here: String,
    },
    /// A build of this version with other keys or tables saved it.
    #[error("it was saved by another build of {0}")]
    Build(String),
    /// It was saved with another evaluator than the one in use.
    #[error("it belongs to {found}, and the evaluator in force is {here}")]
    Evaluator {
        /// That evaluator.
        found: HashEvaluator,
        /// The one in use.
        here: HashEvaluator,
    },
    /// It is not as long as its beginning says.
    #[error(
        "it has {found} bytes instead of {wanted}: it is cut off, or not all of it is a hash table"
    )]
    Length {
        /// Its bytes.
        found: u64,
        /// The bytes that it must have.
        wanted: u64,
    },
    /// Its content is not what was saved.
    #[error("its checksum is wrong: it is damaged")]
    Damaged,
    /// It was not the same when it was read again. The table and the histories are empty.
    #[error("it was changed while it was read")]
    Changed,
}

/// Writes through, and knows the checksum of what was written.
pub(crate) struct CheckedWriter<W> {
    inner: W,
    sum: Hasher,
}

impl<W: Write> CheckedWriter<W> {
    pub fn new(inner: W) -> Self {
        Self { inner, sum: Hasher::new() }
    }

    /// Writes the checksum behind everything else.
    pub fn finish(self) -> io::Result<()> {
        let Self { mut inner, sum } = self;
        inner.write_all(&sum.finalize().to_le_bytes())?;
        inner.flush()
    }
}

impl<W: Write> Write for CheckedWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.sum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Reads through, and knows the checksum of what was read.
pub(crate) struct CheckedReader<R> {
    inner: R,
    sum: Hasher,
}

impl<R: Read> CheckedReader<R> {
    pub fn new(inner: R) -> Self {
        Self { inner, sum: Hasher::new() }
    }

    /// Reads the checksum behind everything else; whether it is right.
    pub fn finish(self) -> io::Result<bool> {
        let Self { mut inner, sum } = self;
        let mut found = [0; 4];
        inner.read_exact(&mut found)?;
        Ok(sum.finalize().to_le_bytes() == found)
    }
}

impl<R: Read> Read for CheckedReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.sum.update(&bytes[..read]);
        Ok(read)
    }
}
