//! Files that are there as a whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file being written under another name in the same folder. [`Self::finish`] puts it in its
/// place in one step, so that there is the old file or the new one whatever happens, never a part
/// of one. Dropped before, it vanishes.
pub struct NewFile {
    file: NamedTempFile,
    path: PathBuf,
}

impl NewFile {
    /// A new file that shall be at `path`.
    ///
    /// # Errors
    /// If the folder cannot be written, or `path` is a folder.
    pub fn create(path: &Path) -> io::Result<Self> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tamarin-").suffix(".tmp");
        // Results are not secret, unlike most temporary files.
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder(path))?;
        Ok(Self { file, path: path.to_owned() })
    }

    /// Writes what the system still holds back, and gives the file its name.
    ///
    /// # Errors
    /// If the disk is full or the folder cannot be written. Then an old file stays as it was.
    pub fn finish(self) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(&self.path)?;
        sync_folder(&self.path);
        Ok(())
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

/// The folder of a file.
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Makes a new name last through a loss of power, where the system can do that.
pub fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(folder(path)) {
        // The file is complete in any case.
        let _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::NewFile;
    use std::fs;
    use std::io::Write;

    #[test]
    fn the_old_file_stays_until_the_new_one_is_complete() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("result");
        fs::write(&path, "old").expect("it can be written");
        let mut dropped = NewFile::create(&path).expect("the folder can be written");
        dropped.write_all(b"half").expect("there is room");
        drop(dropped);
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        let mut file = NewFile::create(&path).expect("the folder can be written");
        file.write_all(b"new").expect("there is room");
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        file.finish().expect("there is room");
        assert_eq!(fs::read(&path).expect("it is there"), b"new");
        assert_eq!(fs::read_dir(folder.path()).expect("it is there").count(), 1);
        assert!(NewFile::create(folder.path()).is_err());
        assert!(NewFile::create(&folder.path().join("missing/result")).is_err());
    }
}
