//! Gives a complete file its name.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use crate::files::kind::folder;
use crate::files::own;

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

/// Gives a new file the mode of the old one, and its owner and group where that is allowed.
#[cfg(unix)]
fn keep_rights(file: &File, old: &Metadata) -> io::Result<()> {
    use std::fs::Permissions;
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
