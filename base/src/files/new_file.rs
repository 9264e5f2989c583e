//! Files that are there as a whole or not at all.

use core::fmt;
use std::collections::hash_map::RandomState;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::hash::BuildHasher as _;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::files::kind::folder;
use crate::files::own;

/// Names that are tried for a temporary file.
const ATTEMPTS: u32 = 100;

/// What the names of temporary files begin and end with.
const PREFIX: &str = ".tamarin-";
const SUFFIX: &str = ".tmp";

/// A temporary file that old belongs to no process.
const STALE: Duration = Duration::from_secs(24 * 60 * 60);

/// The temporary files of this process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn unfinished() -> MutexGuard<'static, Vec<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes temporary files that nobody has written to for a day: those of processes that were killed.
fn remove_stale(folder: &Path) {
    let is_stale = |metadata: &Metadata| {
        let age = metadata.modified().ok().and_then(|modified| modified.elapsed().ok());
        metadata.is_file() && age.is_some_and(|age| age > STALE)
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
        let is_ours = number.is_some_and(|number| {
            number.len() == 16 && number.bytes().all(|digit| digit.is_ascii_hexdigit())
        });
        if is_ours && entry.metadata().is_ok_and(|metadata| is_stale(&metadata)) {
            // If it stays it does no harm.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes a temporary file of this process.
fn remove(temporary: &Path) {
    let mut unfinished = unfinished();
    // If it stays it does no harm.
    let _ = fs::remove_file(temporary);
    unfinished.retain(|other| other != temporary);
}

/// From now on Ctrl-C and SIGTERM end the process without leaving what it has not finished writing,
/// and without a [`TemporaryFile`]. A file that is being put in its place is waited for.
#[cfg(unix)]
pub fn remove_unfinished_on_signal() {
    use std::sync::Once;
    static BEGUN: Once = Once::new();
    BEGUN.call_once(attend_signals);
}

#[cfg(unix)]
fn attend_signals() {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use std::thread;
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let attend = move || {
        let Some(signal) = signals.forever().next() else { return };
        // Held until the process ends, so that no other file is begun.
        let unfinished = unfinished();
        for temporary in unfinished.iter() {
            // If it stays it does no harm.
            let _ = fs::remove_file(temporary);
        }
        // As a shell says it of a process that a signal has ended.
        process::exit(128 + signal);
    };
    // Without a thread the signals are taken and not attended to: SIGKILL ends the process.
    let _ = thread::Builder::new().name("signals".into()).spawn(attend);
}

/// The same where there are no such signals.
#[cfg(not(unix))]
pub fn remove_unfinished_on_signal() {}

/// A file that is there while a program works, such as a lock. It is removed when this is dropped.
#[derive(Debug)]
pub struct TemporaryFile(PathBuf);

impl TemporaryFile {
    /// The file that `make` makes under this name or takes over, and what else comes of it. `make`
    /// must not use this crate for another new file.
    ///
    /// # Errors
    /// Those of `make`. Then nothing is removed.
    pub fn by<T, E>(path: &Path, make: impl FnOnce() -> Result<T, E>) -> Result<(Self, T), E> {
        // Held, so that no signal comes between the file and its place in the list.
        let mut unfinished = unfinished();
        let made = make()?;
        unfinished.push(path.to_owned());
        Ok((Self(path.to_owned()), made))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        remove(&self.0);
    }
}

/// New content of a file, written under another name in the same folder. [`Self::finish`] puts it
/// in its place in one step, so that there is the old file or the new one whatever happens, never a
/// part of one. Dropped before, it vanishes. Devices and pipes are written as it goes.
#[derive(Debug)]
pub struct NewFile {
    file: File,
    place: Option<Place>,
}

/// A file that is not in its place yet.
#[derive(Debug)]
struct Place {
    path: PathBuf,
    temporary: PathBuf,
    is_done: bool,
}

impl NewFile {
    /// A device or a pipe.
    pub(crate) const fn through(file: File) -> Self {
        Self { file, place: None }
    }

    /// A file that replaces another one with these permissions, if there is one.
    pub(crate) fn beside(path: PathBuf, permissions: Option<Permissions>) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        // Follows no link: there must be nothing of this name.
        options.write(true).create_new(true);
        limit_rights(&mut options, permissions);
        for attempt in 0..ATTEMPTS {
            let random = RandomState::new().hash_one((attempt, process::id()));
            let name = format!("{PREFIX}{random:016x}{SUFFIX}");
            let temporary = folder(&path).join(name);
            let mut unfinished = unfinished();
            match options.open(&temporary) {
                Ok(file) => {
                    if unfinished.is_empty() {
                        remove_stale(folder(&path));
                    }
                    unfinished.push(temporary.clone());
                    let place = Some(Place { path, temporary, is_done: false });
                    return Ok(Self { file, place });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "no name for a temporary file is free"))
    }

    /// Writes what the system still holds back, and gives the file its name. The file that it
    /// replaced, if there was one.
    ///
    /// # Errors
    /// If the disk is full or the folder cannot be written. Then an old file stays as it was.
    pub fn finish(mut self) -> io::Result<Option<Old>> {
        let Some(place) = &mut self.place else { return Ok(None) };
        let mut unfinished = unfinished();
        let old = install(&place.path, &place.temporary, &self.file)?;
        unfinished.retain(|temporary| *temporary != place.temporary);
        place.is_done = true;
        Ok(old)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.is_done {
            remove(&self.temporary);
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// From the beginning the new content is readable only to those who may read the old one.
#[cfg(unix)]
fn limit_rights(options: &mut OpenOptions, old: Option<Permissions>) {
    use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
    if let Some(old) = old {
        // It may have another group until it is installed.
        options.mode(old.mode() & 0o600);
    }
}

#[cfg(not(unix))]
fn limit_rights(_: &mut OpenOptions, _: Option<Permissions>) {}

/// A file that was replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Old {
    /// Its size.
    pub bytes: u64,
}

impl fmt::Display for Old {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "replaced a file of {} bytes", self.bytes)
    }
}

/// Puts a complete file in its place, in one step, with the mode of the one that it replaces.
pub(crate) fn install(path: &Path, from: &Path, file: &File) -> io::Result<Option<Old>> {
    let old = match fs::symlink_metadata(path) {
        Ok(found) => {
            own::check_file(&found)?;
            keep_rights(file, &found)?;
            Some(Old { bytes: found.len() })
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    file.sync_all()?;
    fs::rename(from, path)?;
    if let Ok(folder) = File::open(folder(path)) {
        // Makes the new name last through a loss of power, where the system can do that. The file
        // is complete in any case.
        let _ = folder.sync_all();
    }
    Ok(old)
}

/// Gives a new file the mode of the old one, and its owner and group where that is allowed.
#[cfg(unix)]
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let new = file.metadata()?;
    let same_owner = (new.uid(), new.gid()) == (old.uid(), old.gid())
        || fchown(file, Some(old.uid()), Some(old.gid())).is_ok();
    let same_group =
        same_owner || new.gid() == old.gid() || fchown(file, None, Some(old.gid())).is_ok();
    file.set_permissions(Permissions::from_mode(kept_mode(old.mode(), same_owner, same_group)))
}

/// What is left of a mode where the file has another owner or group.
#[cfg(unix)]
const fn kept_mode(old: u32, same_owner: bool, same_group: bool) -> u32 {
    // Who runs a program with the rights of its owner must not change with the owner.
    let mode = old & if same_owner { 0o7777 } else { 0o777 };
    // The other group was among all others.
    if same_group { mode } else { mode & (0o707 | (mode & 0o007) << 3) }
}

#[cfg(not(unix))]
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}

#[cfg(all(test, unix))]
mod tests {
    use super::kept_mode;

    #[test]
    fn another_group_has_no_more_rights_than_all_others() {
        assert_eq!(kept_mode(0o4_775, true, true), 0o4_775);
        assert_eq!(kept_mode(0o2_775, false, true), 0o775);
        assert_eq!(kept_mode(0o660, false, false), 0o600);
        assert_eq!(kept_mode(0o664, false, false), 0o644);
        assert_eq!(kept_mode(0o646, false, false), 0o646);
    }
}
