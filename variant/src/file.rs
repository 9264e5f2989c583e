//! Files with rules, and what the variants in them are called.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::parse::parse;

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

/// What a variant of a file is called: its own name, or that of the file without the ending.
pub fn variant_name(path: &Path, own: Option<&str>) -> String {
    let stem = || path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    own.map_or_else(stem, str::to_owned)
}

/// What the last variant of the file with this text is called.
pub fn name_of_last(path: &Path, text: &str) -> String {
    let names = variant_names(text);
    variant_name(path, names.last().and_then(Option::as_deref))
}

/// The names of the variants of a file. A text without a name is one only if nothing follows it.
pub fn variant_names(text: &str) -> Vec<Option<String>> {
    let variants = parse(text).file.variants;
    let last = variants.len().saturating_sub(1);
    let named = variants.into_iter().enumerate().filter_map(|(i, variant)| {
        let name = variant.name.map(|name| name.value);
        (name.is_some() || i == last).then_some(name)
    });
    let names: Vec<_> = named.collect();
    // An empty file is no variant, which loading it reports.
    if names.is_empty() { vec![None] } else { names }
}
