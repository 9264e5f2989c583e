//! Table files: small ones are kept in memory, large ones are read where needed.

use core::sync::atomic::{AtomicBool, Ordering};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use parking_lot::Mutex;
#[cfg(not(target_family = "wasm"))]
use shakmaty_syzygy::filesystem::OsFilesystem as System;
use shakmaty_syzygy::filesystem::{Filesystem, RandomAccessFile, ReadHint};

/// Files up to this size, in bytes, are read at once and closed: all tables of up to four
/// pieces, and about half of those of five.
const WHOLE_UP_TO: u64 = 1 << 20;

/// Opens table files, except those that were left out.
#[derive(Default)]
pub(super) struct TableFiles {
    system: System,
    /// Whether a file is left out, for every file that was opened or left out.
    left_out: Mutex<HashMap<PathBuf, Arc<AtomicBool>>>,
}

/// WebAssembly has no files.
#[cfg(target_family = "wasm")]
#[derive(Default)]
struct System;

#[cfg(target_family = "wasm")]
impl Filesystem for System {
    fn regular_file_size(&self, _: &Path) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn read_dir(&self, _: &Path) -> io::Result<Vec<PathBuf>> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn open(&self, _: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl TableFiles {
    /// Refuses all further reads of a file.
    pub fn leave_out(&self, path: &Path) {
        self.flag(path).store(true, Ordering::Relaxed);
    }

    fn flag(&self, path: &Path) -> Arc<AtomicBool> {
        Arc::clone(self.left_out.lock().entry(path.to_path_buf()).or_default())
    }
}

impl Filesystem for TableFiles {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.system.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.system.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let left_out = self.flag(path);
        if left_out.load(Ordering::Relaxed) {
            return Err(io::Error::other("left out"));
        }
        let size = self.system.regular_file_size(path)?;
        let file = self.system.open(path)?;
        if size > WHOLE_UP_TO {
            return Ok(Box::new(TableFile { contents: Contents::OnDisk(file), left_out }));
        }
        let mut bytes = vec![0; size as usize];
        file.read_exact_at(&mut bytes, 0, ReadHint::Data)?;
        Ok(Box::new(TableFile { contents: Contents::InMemory(bytes), left_out }))
    }
}

enum Contents {
    InMemory(Vec<u8>),
    OnDisk(Box<dyn RandomAccessFile>),
}

struct TableFile {
    contents: Contents,
    left_out: Arc<AtomicBool>,
}

impl RandomAccessFile for TableFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        if self.left_out.load(Ordering::Relaxed) {
            return Err(io::Error::other("left out"));
        }
        match &self.contents {
            Contents::OnDisk(file) => file.read_at(buffer, offset, hint),
            Contents::InMemory(bytes) => {
                let start = usize::try_from(offset).unwrap_or(usize::MAX);
                let rest = bytes.get(start..).unwrap_or_default();
                let count = rest.len().min(buffer.len());
                buffer[..count].copy_from_slice(&rest[..count]);
                Ok(count)
            }
        }
    }
}

/// Lets the process have as many files open as the system allows: a folder with all tables of
/// six pieces has more of them than the usual limit.
#[cfg(unix)]
pub(super) fn raise_file_limit() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    /// The most that older versions of macOS take, even if the maximum is unlimited.
    const OPEN_MAX: u64 = 10_240;
    let limit = getrlimit(Resource::Nofile);
    let set = |current| setrlimit(Resource::Nofile, Rlimit { current, ..limit });
    if set(limit.maximum).is_err() && limit.current.is_some_and(|current| current < OPEN_MAX) {
        // If the system refuses, probes of tables that cannot be opened have no result.
        let _ = set(Some(OPEN_MAX));
    }
}

#[cfg(not(unix))]
pub(super) fn raise_file_limit() {}

/// Whether a file could not be read because too many are open or memory is short, which may pass.
#[cfg(unix)]
pub(super) fn is_shortage(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let shortages = [Errno::MFILE, Errno::NFILE, Errno::NOMEM];
    Errno::from_io_error(error).is_some_and(|errno| shortages.contains(&errno))
}

#[cfg(not(unix))]
pub(super) fn is_shortage(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory
}
