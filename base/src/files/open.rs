//! Flags of the system for opening files.

use std::fs::OpenOptions;

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
