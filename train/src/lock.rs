//! Keeping other processes away from an output.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use crate::data::FileError;

/// Why an output cannot be had for oneself.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LockError {
    /// Another process works on it.
    #[error("{0} is in use by another process")]
    InUse(PathBuf),
    /// The lock cannot be created.
    #[error(transparent)]
    File(#[from] FileError),
}

/// While it lives no other process gets a lock for the same output. It is a file beside the
/// output, because that one is replaced as a whole; the system gives it free if the process is
/// killed.
pub(crate) struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks an output, which need not be there yet.
    pub fn beside(out: &Path) -> Result<Self, LockError> {
        let mut path = out.as_os_str().to_owned();
        path.push(".lock");
        let path = PathBuf::from(path);
        let file = File::create(&path).map_err(FileError::on(&path))?;
        try_lock(&file, out)?;
        Ok(Self { path, _file: file })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // If it stays, it locks nothing.
        let _ = fs::remove_file(&self.path);
    }
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

    #[test]
    fn an_output_is_locked_once_at_a_time() {
        let name = format!("tamarin-lock-{}", std::process::id());
        let out = std::env::temp_dir().join(name);
        for _ in 0..2 {
            let _lock = Lock::beside(&out).unwrap();
            let second = Lock::beside(&out);
            assert!(matches!(second, Err(LockError::InUse(path)) if path == out));
        }
        assert!(!out.with_extension("lock").exists());
    }
}
