//! Files whose names a program makes up itself: states, locks, what is not complete yet.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::files::input::read_up_to;
use crate::files::kind::Kind;
use crate::files::kind::{Care, flags};
use crate::files::target::{Reader, Target};

/// Opens a file that a program keeps under a name of its own, for reading and writing, as it is;
/// makes it if it is missing.
///
/// # Errors
/// If there is anything but a plain file of one name: a link would lead to another
/// file.
pub fn open_own(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    match options.open(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        opened => return opened,
    }
    options.create_new(false);
    open_there(path, &mut options)
}

/// The content of such a file of at most `mebibytes` MiB.
///
/// # Errors
/// If it is missing, larger, or anything but a plain file of one name.
pub fn read_own(path: &Path, mebibytes: u64) -> io::Result<Vec<u8>> {
    read_up_to(open_there(path, OpenOptions::new().read(true))?, mebibytes << 20)
}

/// Writes such a file as a whole; makes it if it is missing.
///
/// # Errors
/// If it cannot be written, or is anything but a plain file. What it had before stays.
pub fn write_own(path: &Path, content: &[u8]) -> io::Result<()> {
    Target::of_program(path)?.write(content, Reader::There).map(drop)
}

/// The folder for what this user's programs keep from one run to the next.
///
/// # Errors
/// If the environment names none.
pub fn state_folder() -> io::Result<PathBuf> {
    let variable = |name: &str| {
        let value = std::env::var_os(name).map(PathBuf::from);
        value.filter(|path| path.is_absolute())
    };
    let base = if cfg!(windows) {
        variable("LOCALAPPDATA")
    } else {
        // Source: the XDG Base Directory Specification 0.8.
        variable("XDG_STATE_HOME")
            .or_else(|| variable("HOME").map(|home| home.join(".local/state")))
    };
    let none = || io::Error::other("no folder for saved games: HOME is not set");
    base.map(|base| base.join("tamarin")).ok_or_else(none)
}

/// A file of a program that only one process at a time uses. The system ends the lock, which is a
/// file beside it, when the process ends, however it ends.
#[derive(Debug)]
pub struct LockedFile {
    path: PathBuf,
    /// Locked as long as it is open.
    _lock: File,
}

impl LockedFile {
    /// Locks a file, which need not be there yet; `None` if another process has it.
    ///
    /// # Errors
    /// If the lock cannot be made.
    pub fn lock(path: &Path) -> io::Result<Option<Self>> {
        let lock = open_own(&path.with_extension("lock"))?;
        match lock.try_lock() {
            Ok(()) => Ok(Some(Self { path: path.to_owned(), _lock: lock })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the content.
    ///
    /// # Errors
    /// As [`write_own`].
    pub fn write(&self, content: &[u8]) -> io::Result<()> {
        write_own(&self.path, content)
    }
}

/// Opens what is there, if it is what a program leaves.
fn open_there(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    check(&fs::symlink_metadata(path)?)?;
    flags(options, Care::Links);
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// Refuses what no program leaves under a name of its own. A file of several names is not changed
/// through one of them.
fn check(found: &Metadata) -> io::Result<()> {
    check_file(found)?;
    match has_one_name(found) {
        true => Ok(()),
        false => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it has several hard links and is left as it is",
        )),
    }
}

/// Refuses what is no file. One of several names may be replaced: the others keep the old content.
pub(crate) fn check_file(found: &Metadata) -> io::Result<()> {
    match Kind::of(found) {
        Kind::Plain => Ok(()),
        kind => Err(kind.refusal(" and is left as it is")),
    }
}

#[cfg(unix)]
fn has_one_name(found: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) <= 1
}

#[cfg(not(unix))]
fn has_one_name(_: &Metadata) -> bool {
    true
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::{open_own, read_own};
    use std::fs;
    use std::io::Write as _;

    #[test]
    fn no_link_is_followed() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [own, other] = ["own", "other"].map(|name| folder.path().join(name));
        open_own(&own).and_then(|mut file| file.write_all(b"1")).expect("it is made");
        open_own(&own).and_then(|mut file| file.write_all(b"2")).expect("it is there");
        assert_eq!(read_own(&own, 1).expect("it can be read"), b"2");
        fs::hard_link(&own, &other).expect("the system has hard links");
        for read in [open_own(&own).map(drop), read_own(&own, 1).map(drop)] {
            let error = read.expect_err("it is the other file too");
            assert_eq!(error.to_string(), "it has several hard links and is left as it is");
        }
        fs::remove_file(&own).expect("it is there");
        std::os::unix::fs::symlink(&other, &own).expect("the system has links");
        for read in [open_own(&own).map(drop), read_own(&own, 1).map(drop)] {
            let error = read.expect_err("it is a link");
            assert_eq!(error.to_string(), "it is a symbolic link and is left as it is");
        }
        assert!(open_own(folder.path()).is_err());
    }
}
