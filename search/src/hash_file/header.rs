//! The beginning of a file, which says whose table it is and how long the rest is.

use std::io::{self, Read, Write};

use tamarin_base::Fnv1a;
use tamarin_movegen::Position;

use super::{HashEvaluator, HashFileError, HashSummary};
use crate::history::{SharedHistories, THREADS_PER_GROUP, ThreadHistories};

const MAGIC: [u8; 8] = *b"TAMARINH";

/// Changes with the form of the file.
const FORMAT: u32 = 1;

/// Bytes of the checksum at the end.
const CHECKSUM: u64 = 4;

/// Bytes of an entry.
const ENTRY: u128 = 16;

/// The beginning of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    /// The program that saved it, with its version.
    pub program: String,
    pub evaluator: HashEvaluator,
    /// The size of the table, in MiB.
    pub mebibytes: u64,
    pub threads: u32,
    /// The generation of the last search.
    pub generation: u8,
    /// Entries that are not empty.
    pub entries: u64,
}

impl Header {
    /// Writes it, with a name of at most 255 bytes.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        let name = name_bytes(&self.program);
        let evaluator = match self.evaluator {
            HashEvaluator::HandCrafted => 0,
            HashEvaluator::Network(checksum) => checksum,
        };
        output.write_all(&MAGIC)?;
        output.write_all(&FORMAT.to_le_bytes())?;
        output.write_all(&[name.len() as u8])?;
        output.write_all(name)?;
        output.write_all(&build().to_le_bytes())?;
        output.write_all(&evaluator.to_le_bytes())?;
        output.write_all(&self.mebibytes.to_le_bytes())?;
        output.write_all(&self.threads.to_le_bytes())?;
        output.write_all(&[self.generation])?;
        output.write_all(&self.entries.to_le_bytes())
    }

    /// Reads that of a file of `length` bytes that this program saved with this evaluator.
    ///
    /// # Errors
    /// If it is another file.
    pub fn read(
        input: &mut impl Read,
        bytes: u64,
        program: &str,
        evaluator: HashEvaluator,
    ) -> Result<Self, HashFileError> {
        let header = Self::read_any(input, program)?;
        if header.evaluator != evaluator {
            return Err(HashFileError::Evaluator { found: header.evaluator, here: evaluator });
        }
        // More than the table can hold that it says it comes from: no engine has written it.
        if u128::from(header.entries) * ENTRY > u128::from(header.mebibytes) << 20 {
            return Err(HashFileError::NoHashFile);
        }
        let wanted = header.file_bytes();
        if u128::from(bytes) != wanted {
            let wanted = u64::try_from(wanted).unwrap_or(u64::MAX);
            return Err(HashFileError::Length { found: bytes, wanted });
        }
        Ok(header)
    }

    fn read_any(input: &mut impl Read, program: &str) -> Result<Self, HashFileError> {
        if array(input)? != MAGIC {
            return Err(HashFileError::NoHashFile);
        }
        let found = u32::from_le_bytes(array(input)?);
        if found != FORMAT {
            return Err(HashFileError::Format { found, here: FORMAT });
        }
        let [length] = array(input)?;
        let mut name = vec![0; length.into()];
        input.read_exact(&mut name).map_err(cut_off)?;
        let here = name_bytes(program);
        if name != here {
            // Other people's text: on one line and without control characters.
            let found = String::from_utf8_lossy(&name);
            let found = found.chars().filter(|c| !c.is_control()).collect();
            return Err(HashFileError::Program { found, here: program.to_owned() });
        }
        if u64::from_le_bytes(array(input)?) != build() {
            return Err(HashFileError::Build(program.to_owned()));
        }
        let evaluator = match u64::from_le_bytes(array(input)?) {
            0 => HashEvaluator::HandCrafted,
            checksum => HashEvaluator::Network(checksum),
        };
        let mebibytes = u64::from_le_bytes(array(input)?);
        let threads = u32::from_le_bytes(array(input)?);
        let [generation] = array(input)?;
        let entries = u64::from_le_bytes(array(input)?);
        let program = program.to_owned();
        Ok(Self { program, evaluator, mebibytes, threads, generation, entries })
    }

    /// How many groups of threads there are.
    pub const fn groups(&self) -> usize {
        (self.threads as usize).div_ceil(THREADS_PER_GROUP)
    }

    /// Bytes of the header itself.
    fn bytes(&self) -> usize {
        MAGIC.len() + 4 + 1 + name_bytes(&self.program).len() + 8 + 8 + 8 + 4 + 1 + 8
    }

    /// Bytes between header and checksum, if the header is one of a whole file.
    pub fn body_bytes(&self, file: u64) -> u64 {
        file.saturating_sub(self.bytes() as u64 + CHECKSUM)
    }

    /// Bytes of a file that begins like this.
    fn file_bytes(&self) -> u128 {
        self.bytes() as u128
            + u128::from(self.threads) * ThreadHistories::BYTES as u128
            + self.groups() as u128 * SharedHistories::BYTES as u128
            + u128::from(self.entries) * ENTRY
            + u128::from(CHECKSUM)
    }

    /// What the file holds; `kept` of its entries are in the table.
    pub const fn summary(&self, kept: u64) -> HashSummary {
        let Self { entries, mebibytes, threads, .. } = *self;
        HashSummary { entries, kept, mebibytes, threads }
    }
}

/// A name as it is kept: no longer than a byte can say.
fn name_bytes(name: &str) -> &[u8] {
    &name.as_bytes()[..name.len().min(255)]
}

/// What the meaning of a file depends on besides version and network: keys of positions and sizes of
/// tables, which only builds of changed sources can have changed within one version.
fn build() -> u64 {
    let position = Position::startpos();
    let numbers = [
        position.key(),
        position.pawn_key(),
        position.minor_key(),
        ThreadHistories::BYTES as u64,
        SharedHistories::BYTES as u64,
        THREADS_PER_GROUP as u64,
    ];
    Fnv1a::hash(&numbers.map(u64::to_le_bytes).concat())
}

/// The next bytes.
fn array<const N: usize>(input: &mut impl Read) -> Result<[u8; N], HashFileError> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes).map_err(cut_off)?;
    Ok(bytes)
}

/// A file that ends in its header is no hash file.
fn cut_off(error: io::Error) -> HashFileError {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => HashFileError::NoHashFile,
        _ => error.into(),
    }
}
