//! Files that grow at their end.

use std::fs::File;
use std::io::{self, Seek as _, Write as _};

/// A file, device or pipe to whose end whole texts are added.
#[derive(Debug)]
pub struct Appender {
    file: File,
    is_plain: bool,
}

impl Appender {
    pub(crate) const fn to_file(file: File) -> Self {
        Self { file, is_plain: true }
    }

    pub(crate) const fn through(file: File) -> Self {
        Self { file, is_plain: false }
    }

    /// Adds a text, in one write where the system allows it, so that texts of several processes do
    /// not mix.
    ///
    /// # Errors
    /// If there is no room for all of it. Then nothing of it stays in a plain file.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            match self.file.write(rest) {
                Ok(0) => {
                    return self.failed(bytes.len() - rest.len(), io::ErrorKind::WriteZero.into());
                }
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return self.failed(bytes.len() - rest.len(), error),
            }
        }
        Ok(())
    }

    /// Takes back `written` bytes, unless another process has written behind them.
    fn failed(&mut self, written: usize, error: io::Error) -> io::Result<()> {
        if self.is_plain && written > 0 {
            let end = self.file.stream_position()?;
            if self.file.metadata()?.len() == end {
                self.file.set_len(end - written as u64)?;
            }
        }
        Err(error)
    }

    /// Cuts a plain file off behind `bytes` bytes.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn cut(&mut self, bytes: u64) -> io::Result<()> {
        if self.is_plain { self.file.set_len(bytes) } else { Ok(()) }
    }
}
