//! The histories in a file: all counters in a fixed order, each of 16 bits, the low byte first.

use std::io::{self, Read, Write};

use super::counter::Bounded;
use super::{
    ContinuationHistory, CorrectionHistory, SharedHistories, ThreadHistories, ThreadTables,
};

impl ThreadHistories {
    /// Bytes in a file.
    pub const BYTES: usize = size_of::<ThreadTables>();

    /// Writes all counters.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        write(self.0.quiet.counters(), output)?;
        write(self.0.capture.counters(), output)?;
        write(self.0.pawn.counters(), output)
    }

    /// Reads all counters.
    pub fn read(&self, input: &mut impl Read) -> io::Result<()> {
        read(self.0.quiet.counters(), input)?;
        read(self.0.capture.counters(), input)?;
        read(self.0.pawn.counters(), input)
    }
}

impl SharedHistories {
    /// Bytes in a file.
    pub const BYTES: usize = 2 * (ContinuationHistory::COUNTERS + CorrectionHistory::COUNTERS);

    /// Writes all counters.
    pub fn write(&self, output: &mut impl Write) -> io::Result<()> {
        write(self.continuation().counters(), output)?;
        write(self.correction().all(), output)
    }

    /// Reads all counters.
    pub fn read(&self, input: &mut impl Read) -> io::Result<()> {
        read(self.continuation().counters(), input)?;
        read(self.correction().all(), input)
    }
}

fn write<'a, const CAP: i32>(
    mut counters: impl Iterator<Item = &'a Bounded<CAP>>,
    output: &mut impl Write,
) -> io::Result<()> {
    counters.try_for_each(|counter| output.write_all(&(counter.value() as i16).to_le_bytes()))
}

fn read<'a, const CAP: i32>(
    mut counters: impl Iterator<Item = &'a Bounded<CAP>>,
    input: &mut impl Read,
) -> io::Result<()> {
    let mut bytes = [0; 2];
    counters.try_for_each(|counter| {
        input.read_exact(&mut bytes)?;
        counter.set(i16::from_le_bytes(bytes));
        Ok(())
    })
}
