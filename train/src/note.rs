//! A note of the command line that is kept in what is written.

/// Why a note cannot be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {column} is {found:?}: a note has no line breaks or other control characters")]
pub(crate) struct NoteError {
    /// Where, from 1.
    column: usize,
    found: char,
}

/// A text on one line: in Rust source it is part of a comment, which a line break would end.
pub(crate) fn note(text: &str) -> Result<String, NoteError> {
    match text.chars().enumerate().find(|(_, letter)| letter.is_control()) {
        Some((index, found)) => Err(NoteError { column: index + 1, found }),
        None => Ok(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{NoteError, note};

    #[test]
    fn notes_are_on_one_line() {
        assert_eq!(note("Won a m\u{e4}tch."), Ok("Won a m\u{e4}tch.".to_owned()));
        for (text, column, found) in [("a\nb", 2, '\n'), ("\r", 1, '\r'), ("\u{e4}b\0", 3, '\0')] {
            assert_eq!(note(text), Err(NoteError { column, found }), "{text:?}");
        }
    }
}
