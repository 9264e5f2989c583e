//! What there is at a path.

use std::fs::{FileType, Metadata};
use std::io;

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
