//! The file that is analyzed: as it lies on the disk, or unpacked, or standard input.
//!
//! What cannot be read twice is copied to a file without a name first, which the system removes
//! whatever ends the process.

use std::fs::File;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use tamarin_base::files::{open_plain, open_stdin};
use tamarin_game::packed::unpacked;

/// The longest copy, in bytes: 16 GiB.
const MAX_COPY: u64 = 16 << 30;

/// Names of standard input.
const STDIN: [&str; 4] = ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];

/// The file that is analyzed.
pub struct Input {
    path: PathBuf,
    is_stdin: bool,
    copy: Option<Copy>,
}

/// A copy of what cannot be read twice.
struct Copy {
    file: Arc<File>,
    length: u64,
    hash: u64,
}

impl Input {
    /// The file of this name, or standard input if it is `-` or a name of it.
    pub fn open(path: &Path) -> io::Result<Self> {
        if STDIN.iter().any(|name| path == Path::new(name)) {
            let content = unpacked(BufReader::new(open_stdin()?))?;
            let (path, copy) = (PathBuf::from("stdin"), Some(copy(content)?));
            return Ok(Self { path, is_stdin: true, copy });
        }
        let content = unpacked(BufReader::new(open_plain(path)?))?;
        let copy = if content.is_packed() { Some(copy(content)?) } else { None };
        Ok(Self { path: path.to_owned(), is_stdin: false, copy })
    }

    /// Its name, for messages and for files beside it; `stdin` for standard input.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its name without what says that it is packed.
    pub fn plain_name(&self) -> &Path {
        let is_packed = self.copy.is_some()
            && self.path.extension().is_some_and(|text| text.eq_ignore_ascii_case("gz"));
        if is_packed { Path::new(self.path.file_stem().unwrap_or_default()) } else { &self.path }
    }

    /// A name of the file itself, which must not be written.
    pub fn file(&self) -> &Path {
        if self.is_stdin { Path::new("/dev/stdin") } else { &self.path }
    }

    /// Bytes in it.
    pub fn size(&self) -> io::Result<u64> {
        match &self.copy {
            Some(copy) => Ok(copy.length),
            None => Ok(self.path.metadata()?.len()),
        }
    }

    /// What differs from that of another one, and of what it was before.
    pub fn identity(&self) -> io::Result<String> {
        if let Some(copy) = &self.copy {
            return Ok(format!("{} {:016x}", copy.length, copy.hash));
        }
        let found = self.path.metadata()?;
        let changed = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        Ok(format!("{} {changed:?}", found.len()))
    }

    /// Its content from a byte on.
    pub fn from(&self, offset: u64) -> io::Result<Part> {
        match &self.copy {
            Some(copy) => Ok(Part::Copy { file: Arc::clone(&copy.file), offset }),
            None => {
                let mut file = open_plain(&self.path)?;
                file.seek(SeekFrom::Start(offset))?;
                Ok(Part::File(file))
            }
        }
    }
}

fn copy(content: impl Read) -> io::Result<Copy> {
    let mut file = tempfile::tempfile()?;
    let mut content = content.take(MAX_COPY + 1);
    let mut hasher = DefaultHasher::new();
    let mut buffer = vec![0; 1 << 16];
    let mut length = 0;
    loop {
        let count = match content.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        file.write_all(&buffer[..count])?;
        hasher.write(&buffer[..count]);
        length += count as u64;
    }
    if length > MAX_COPY {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 16 GiB"));
    }
    Ok(Copy { file: Arc::new(file), length, hash: hasher.finish() })
}

/// The content of an input from some byte on.
pub enum Part {
    File(File),
    /// Of a copy that others read too.
    Copy {
        file: Arc<File>,
        /// The next byte.
        offset: u64,
    },
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(buffer),
            Self::Copy { file, offset } => {
                let count = read_at(file, buffer, *offset)?;
                *offset += count as u64;
                Ok(count)
            }
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}
