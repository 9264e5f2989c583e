//! Keeping other processes away from an output.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tamarin_base::files::{Target, TemporaryFile, open_own, remove_unfinished_on_signal};

use crate::data::FileError;

/// Why an output cannot be had for oneself.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    #[error("{0} is in use by another process")]
    InUse(PathBuf),
    /// The lock cannot be created.
    #[error(transparent)]
    File(#[from] FileError),
}

/// While it lives no other process gets a lock for the same output. It is a file beside the
/// output, because that one is replaced as a whole; the system gives it free if the process is
/// killed. After Ctrl-C nothing of it stays. If the file stays, it locks nothing.
pub(crate) struct Lock {
    output: PathBuf,
    /// Removed before it is unlocked.
    _temporary: TemporaryFile,
    _file: File,
}

impl Lock {
    /// Locks an output, which need not be there yet. `inputs` are the files that are read, of which
    /// it must be none.
    pub fn beside<P: AsRef<Path>>(
        out: &Path,
        inputs: impl IntoIterator<Item = P>,
    ) -> Result<Self, LockError> {
        let output = check(out, inputs).map_err(FileError::on(out))?;
        let mut path = output.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        // Before there is a file that could be left.
        remove_unfinished_on_signal();
        let (temporary, file) = TemporaryFile::by(&path, || {
            let file = open_own(&path).map_err(FileError::on(&path))?;
            try_lock(&file, out)?;
            Ok::<_, LockError>(file)
        })?;
        Ok(Self { output, _temporary: temporary, _file: file })
    }

    /// The output behind all links: other files beside it lie there, too.
    pub fn output(&self) -> &Path {
        &self.output
    }
}

/// Makes sure that a result and the files beside it can be written, and gives the path of the result
/// behind all links.
pub(crate) fn check<P: AsRef<Path>>(
    out: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> io::Result<PathBuf> {
    let target = check_target(out, inputs)?;
    if target.is_stream() {
        let text = "it is a device or a pipe, beside which no state can be kept";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, text));
    }
    Ok(target.path().to_owned())
}

/// Makes sure that an output can be written and is none of the files that are read.
pub(crate) fn check_target<P: AsRef<Path>>(
    out: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> io::Result<Target> {
    let target = Target::of_user(out)?;
    target.unlike(inputs)?;
    target.check_writable()?;
    Ok(target)
}

/// The same for an output that need not be there yet: then its folder has to be, and be writable.
pub(crate) fn check_new<P: AsRef<Path>>(
    out: &Path,
    inputs: impl IntoIterator<Item = P>,
) -> io::Result<Target> {
    let target = check_target(out, inputs)?;
    if target.old().is_none() {
        target.check_folder()?;
    }
    Ok(target)
}

/// Locks an open file until it is closed; `name` is how the error calls it.
pub(crate) fn try_lock(file: &File, name: &Path) -> Result<(), LockError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(LockError::InUse(name.to_owned())),
        Err(TryLockError::Error(error)) => Err(FileError::on(name)(error).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Lock, LockError};
    use std::path::Path;

    #[test]
    fn an_output_is_locked_once_at_a_time() {
        let name = format!("tamarin-lock-{}", std::process::id());
        let out = std::env::temp_dir().join(name);
        for _ in 0..2 {
            let _lock = Lock::beside(&out, None::<&Path>).unwrap();
            let second = Lock::beside(&out, None::<&Path>);
            assert!(matches!(second, Err(LockError::InUse(path)) if path == out));
        }
        assert!(!out.with_extension("lock").exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_is_where_a_link_leads() {
        let folder = tempfile::tempdir().unwrap();
        let [link, there] = ["link", "there"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("there", &link).unwrap();
        let lock = Lock::beside(&link, None::<&Path>).unwrap();
        assert_eq!(lock.output(), there);
        assert!(there.with_extension("lock").exists() && !link.with_extension("lock").exists());
    }
}
