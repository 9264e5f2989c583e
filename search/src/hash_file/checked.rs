//! Reading and writing with a checksum of all bytes.

use std::io::{self, Read, Write};

use crc32fast::Hasher;

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
