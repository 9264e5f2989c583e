//! Files with rules.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// No more of a file is read: longer ones are refused, and a device may have no end.
const MAX_BYTES: u64 = (4 << 20) + 1;

/// The text of a file, as much of it as is ever read.
///
/// # Errors
/// If it cannot be read.
pub fn read_text(path: &Path) -> io::Result<String> {
    read_text_of(File::open(path)?)
}

/// The text of a file that is open, as much of it as is ever read.
///
/// # Errors
/// If it cannot be read.
pub fn read_text_of(file: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A text without the byte order mark that editors of Windows write first.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
