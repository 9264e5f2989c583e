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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_come_back_and_none_leaves_its_range() {
        let (own, shared) = (ThreadHistories::new().unwrap(), SharedHistories::new().unwrap());
        let mut wild: Vec<u8> = Vec::new();
        for index in 0..ThreadHistories::BYTES.max(SharedHistories::BYTES) / 2 {
            wild.extend(((index as u16).wrapping_mul(25_173)).to_le_bytes());
        }
        own.read(&mut wild.as_slice()).unwrap();
        shared.read(&mut wild.as_slice()).unwrap();
        let (mut first, mut second) = (Vec::new(), Vec::new());
        own.write(&mut first).unwrap();
        shared.write(&mut second).unwrap();
        assert_eq!(first.len(), ThreadHistories::BYTES);
        assert_eq!(second.len(), SharedHistories::BYTES);
        let greatest = |bytes: &[u8]| {
            let values = bytes.as_chunks().0.iter().map(|pair| i16::from_le_bytes(*pair));
            values.map(i16::unsigned_abs).max()
        };
        assert_eq!(greatest(&first), Some(8192), "the limit of a thread's own histories");
        assert_eq!(greatest(&second), Some(16384), "the limit of the continuation history");
        let corrections = &second[2 * ContinuationHistory::COUNTERS..];
        assert_eq!(greatest(corrections), Some(1024), "the limit of the corrections");
        let (other, common) = (ThreadHistories::new().unwrap(), SharedHistories::new().unwrap());
        other.read(&mut first.as_slice()).unwrap();
        common.read(&mut second.as_slice()).unwrap();
        let (mut again, mut twice) = (Vec::new(), Vec::new());
        other.write(&mut again).unwrap();
        common.write(&mut twice).unwrap();
        assert!(first == again && second == twice);
        assert!(other.read(&mut &first[..first.len() - 1]).is_err(), "a byte is missing");
    }
}
