//! Files that are read.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal as _, Read};
use std::path::Path;

use crate::files::kind::Kind;
use crate::files::kind::{Care, flags};

/// What some editors write at the beginning of UTF-8 text.
pub const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Opens a plain file: no folder, no pipe, which might never have a writer, and no device, which
/// may have no end.
///
/// # Errors
/// If it is something else or cannot be opened.
pub fn open_plain(path: &Path) -> io::Result<File> {
    open(path, |kind| kind == Kind::Plain, ", not a file")
}

/// Opens a plain file or a pipe, but no device, which may have no end. A pipe is waited for until
/// it has a writer.
///
/// # Errors
/// If it is something else or cannot be opened.
pub fn open_stream(path: &Path) -> io::Result<File> {
    if Kind::of(&fs::metadata(path)?) == Kind::Pipe {
        return File::open(path);
    }
    open(path, |kind| matches!(kind, Kind::Plain | Kind::Pipe), ", neither a file nor a pipe")
}

/// Standard input as a file of its own, if it has an end: a file, a pipe, or a terminal, whose user
/// ends it.
///
/// # Errors
/// If it is another device or cannot be had.
pub fn open_stdin() -> io::Result<File> {
    let file = stdin_file()?;
    let is_terminal = io::stdin().is_terminal();
    match Kind::of(&file.metadata()?) {
        Kind::Folder => Err(Kind::Folder.refusal(", neither a file nor a pipe")),
        kind @ (Kind::Device | Kind::BlockDevice) if !is_terminal => {
            Err(kind.refusal(", neither a file nor a pipe"))
        }
        _ => Ok(file),
    }
}

#[cfg(unix)]
fn stdin_file() -> io::Result<File> {
    use std::os::fd::AsFd as _;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

#[cfg(windows)]
fn stdin_file() -> io::Result<File> {
    use std::os::windows::io::AsHandle as _;
    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
}

#[cfg(not(any(unix, windows)))]
fn stdin_file() -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

fn open(path: &Path, suits: impl Fn(Kind) -> bool, why: &str) -> io::Result<File> {
    let check = |found: &fs::Metadata| match Kind::of(found) {
        kind if suits(kind) => Ok(()),
        kind => Err(kind.refusal(why)),
    };
    // Opening some devices has effects of its own.
    check(&fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    flags(&mut options, Care::Pipes);
    let file = options.open(path)?;
    // What is open may be something else than what was there before.
    check(&file.metadata()?)?;
    Ok(file)
}

/// The content of a plain file of at most `mebibytes` MiB.
///
/// # Errors
/// If it is something else, cannot be read or is larger.
pub fn read_plain(path: &Path, mebibytes: u64) -> io::Result<Vec<u8>> {
    read_up_to(open_plain(path)?, mebibytes << 20)
}

/// The content of a plain file or a pipe of at most `mebibytes` MiB.
///
/// # Errors
/// If it is something else, cannot be read or is larger.
pub fn read_stream(path: &Path, mebibytes: u64) -> io::Result<Vec<u8>> {
    read_up_to(open_stream(path)?, mebibytes << 20)
}

/// The text of a plain file or a pipe of at most `mebibytes` MiB, without a byte order mark.
///
/// # Errors
/// If it is something else, cannot be read, is larger or is no UTF-8.
pub fn read_stream_text(path: &Path, mebibytes: u64) -> io::Result<String> {
    text(read_stream(path, mebibytes)?)
}

/// The text of a plain file of at most `mebibytes` MiB, without a byte order mark.
///
/// # Errors
/// If it is something else, cannot be read, is larger or is no UTF-8.
pub fn read_text(path: &Path, mebibytes: u64) -> io::Result<String> {
    text(read_plain(path, mebibytes)?)
}

fn text(mut bytes: Vec<u8>) -> io::Result<String> {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no UTF-8 text"))
}

/// All of a file, which must not be larger than `limit` bytes.
pub(crate) fn read_up_to(file: File, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let size = file.metadata()?.len();
    if size > limit {
        return Err(too_large(limit));
    }
    // In one piece, for growing takes up to three times as much; a byte more shows the end.
    bytes.try_reserve_exact(size as usize + 1).map_err(|_| io::ErrorKind::OutOfMemory)?;
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit { Err(too_large(limit)) } else { Ok(bytes) }
}

fn too_large(limit: u64) -> io::Error {
    let text = format!("it is larger than {} MiB", limit >> 20);
    io::Error::new(io::ErrorKind::FileTooLarge, text)
}

#[cfg(test)]
mod tests {
    use super::{open_plain, open_stream, read_plain, read_text};
    use std::fs;
    use std::path::Path;

    #[test]
    fn what_has_no_end_or_is_too_large_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        fs::write(&path, vec![b'x'; 1 << 20]).expect("there is room");
        assert_eq!(read_plain(&path, 1).expect("it fits").len(), 1 << 20);
        assert!(open_stream(&path).is_ok());
        fs::write(&path, vec![b'x'; (1 << 20) + 1]).expect("there is room");
        let error = read_text(&path, 1).expect_err("it is too large");
        assert_eq!(error.to_string(), "it is larger than 1 MiB");
        fs::write(&path, b"\xff").expect("there is room");
        assert_eq!(read_text(&path, 1).expect_err("no text").to_string(), "it is no UTF-8 text");
        fs::write(&path, "\u{feff}\u{feff}a\u{feff}").expect("there is room");
        let text = read_text(&path, 1).expect("it is text");
        assert_eq!(text, "\u{feff}a\u{feff}", "one mark is no text");
        let error = open_stream(folder.path()).expect_err("it is a folder");
        assert_eq!(error.to_string(), "it is a folder, neither a file nor a pipe");
        assert!(open_plain(&folder.path().join("missing")).is_err());
        if cfg!(unix) {
            let error = open_plain(Path::new("/dev/zero")).expect_err("it has no end");
            assert_eq!(error.to_string(), "it is a device, not a file");
            assert!(open_stream(Path::new("/dev/zero")).is_err());
        }
    }
}
