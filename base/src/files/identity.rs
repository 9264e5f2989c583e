//! Whether two paths are the same file.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns `true` if both paths are the same plain file, by whatever links, or would be if it was
/// there. Hard links are recognized on Unix only.
pub fn is_same(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(found), Ok(found_other)) => {
            // What comes out of a device or a pipe is not what was written to it.
            found.is_file()
                && found_other.is_file()
                && are_same((one, &found), (other, &found_other))
        }
        (Err(_), Err(_)) => {
            matches!((place(one), place(other)), (Some(one), Some(other)) if one == other)
        }
        _ => false,
    }
}

#[cfg(unix)]
fn are_same((_, one): (&Path, &fs::Metadata), (_, other): (&Path, &fs::Metadata)) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn are_same((one, _): (&Path, &fs::Metadata), (other, _): (&Path, &fs::Metadata)) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Where a file that is not there would be.
fn place(path: &Path) -> Option<PathBuf> {
    Some(folder(path).canonicalize().ok()?.join(path.file_name()?))
}

/// The folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}
