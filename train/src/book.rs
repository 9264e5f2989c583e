//! Books of positions that games begin with.

use std::path::{Path, PathBuf};

use tamarin_base::files::read_stream_text;
use tamarin_movegen::{FenError, Position};

use crate::data::{FileError, MAX_MEBIBYTES};

/// A book cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{path}, line {line}")]
    Line { path: PathBuf, line: usize, source: FenError },
    #[error("{0} holds no position to begin a game with")]
    Empty(PathBuf),
    #[error("--book {0} is used with --openings book only; nothing was played")]
    Unused(PathBuf),
}

/// The positions of a book: FEN, or EPD with or without operations, one a line. `counted` says how
/// many fields at the beginning of a line are read.
pub(crate) fn read(
    path: &Path,
    counted: impl Fn(&[&str]) -> usize,
) -> Result<Vec<Position>, BookError> {
    let text = read_stream_text(path, MAX_MEBIBYTES).map_err(FileError::on(path))?;
    let mut book = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let fields: Vec<_> = line.split_whitespace().collect();
        if fields.is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let position = Position::from_fen(&fields[..counted(&fields)].join(" "));
        book.push(position.map_err(|source| BookError::Line {
            path: path.to_owned(),
            line: index + 1,
            source,
        })?);
    }
    if book.is_empty() { Err(BookError::Empty(path.to_owned())) } else { Ok(book) }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn bad_books_are_refused() {
        let path = std::env::temp_dir().join(format!("tamarin-bad-{}.epd", std::process::id()));
        let read = || read(&path, |fields| fields.len().min(4));
        fs::write(&path, "4k3/8/8/8/8/8/4P3/4K3 w - -\nnonsense\n").unwrap();
        assert!(matches!(read(), Err(BookError::Line { line: 2, .. })));
        fs::write(&path, "\n").unwrap();
        assert!(matches!(read(), Err(BookError::Empty(_))));
        fs::write(&path, "\u{feff}# marked\n4k3/8/8/8/8/8/4P3/4K3 w - -\n").unwrap();
        assert_eq!(read().unwrap().len(), 1);
        fs::remove_file(&path).unwrap();
        assert!(matches!(read(), Err(BookError::File(_))));
    }
}
