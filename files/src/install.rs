//! Gives a complete file its name.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use crate::identity::folder;
use crate::own;

/// A file that was replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Old {
    /// Its size.
    pub bytes: u64,
}

impl std::fmt::Display for Old {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

/// Gives a new file the mode of the old one, and its owner where that is allowed.
#[cfg(unix)]
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    use std::fs::Permissions;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};
    let new = file.metadata()?;
    let same_owner = (new.uid(), new.gid()) == (old.uid(), old.gid())
        || fchown(file, Some(old.uid()), Some(old.gid())).is_ok();
    // Who runs a program with the rights of its owner must not change with the owner.
    let kept = if same_owner { 0o7777 } else { 0o777 };
    file.set_permissions(Permissions::from_mode(old.mode() & kept))
}

#[cfg(not(unix))]
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    file.set_permissions(old.permissions())
}
