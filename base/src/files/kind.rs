//! What there is at a path: its kind, whether two paths are the same file, and how it is opened.

use std::fs::{self, FileType, Metadata, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// What there is at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(not(unix), allow(dead_code, reason = "only Unix has names for these kinds of files"))]
pub(crate) enum Kind {
    Plain,
    Folder,
    Link,
    Pipe,
    /// A character device, such as a terminal or `/dev/null`.
    Device,
    /// A disk.
    BlockDevice,
    Socket,
    Other,
}

impl Kind {
    pub(crate) fn of(found: &Metadata) -> Self {
        let kind = found.file_type();
        match kind {
            _ if kind.is_file() => Self::Plain,
            _ if kind.is_dir() => Self::Folder,
            _ if kind.is_symlink() => Self::Link,
            _ => special(kind),
        }
    }

    /// In words, for messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Plain => "a file",
            Self::Folder => "a folder",
            Self::Link => "a symbolic link",
            Self::Pipe => "a pipe",
            Self::Device => "a device",
            Self::BlockDevice => "a block device",
            Self::Socket => "a socket",
            Self::Other => "something else than a file",
        }
    }

    /// Why it cannot be used.
    pub(crate) fn refusal(self, why: &str) -> io::Error {
        let kind = match self {
            Self::Folder => io::ErrorKind::IsADirectory,
            _ => io::ErrorKind::InvalidInput,
        };
        io::Error::new(kind, format!("it is {}{why}", self.name()))
    }
}

#[cfg(unix)]
fn special(kind: FileType) -> Kind {
    use std::os::unix::fs::FileTypeExt as _;
    match kind {
        _ if kind.is_fifo() => Kind::Pipe,
        _ if kind.is_char_device() => Kind::Device,
        _ if kind.is_block_device() => Kind::BlockDevice,
        _ if kind.is_socket() => Kind::Socket,
        _ => Kind::Other,
    }
}

#[cfg(not(unix))]
fn special(_: FileType) -> Kind {
    Kind::Other
}

/// What is minded when a file is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Care {
    /// A link in the last part of the path is not followed; nor is a pipe waited for.
    Links,
    /// The other end of a pipe is not waited for.
    Pipes,
    /// A terminal does not become the one that controls the process, here and in all cases.
    Terminals,
}

#[cfg(unix)]
pub(crate) fn flags(options: &mut OpenOptions, care: Care) {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt as _;
    let flags = match care {
        Care::Links => OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY,
        Care::Pipes => OFlags::NONBLOCK | OFlags::NOCTTY,
        Care::Terminals => OFlags::NOCTTY,
    };
    options.custom_flags(flags.bits().cast_signed());
}

#[cfg(windows)]
pub(crate) fn flags(options: &mut OpenOptions, care: Care) {
    use std::os::windows::fs::OpenOptionsExt as _;
    /// Opens a link itself, which then is no plain file.
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    if care == Care::Links {
        options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
    }
}

#[cfg(not(any(unix, windows)))]
pub(crate) fn flags(_: &mut OpenOptions, _: Care) {}

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
fn are_same((_, one): (&Path, &Metadata), (_, other): (&Path, &Metadata)) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn are_same((one, _): (&Path, &Metadata), (other, _): (&Path, &Metadata)) -> bool {
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
