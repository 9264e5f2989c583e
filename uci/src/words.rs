//! The words of a line: reading without allocating, and writing.

use core::fmt;

/// A line that is read word by word. Words are separated by ASCII white space.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// The words of `line`.
    pub(crate) fn new(line: &'a str) -> Self {
        Self { rest: line.trim_ascii() }
    }

    /// What has not been read yet, without white space at either end; inner spaces are kept.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// All that has not been read yet; nothing is left.
    pub(crate) fn take_rest(&mut self) -> Self {
        core::mem::replace(self, Self { rest: "" })
    }

    /// The next word, not consumed.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.rest.split_ascii_whitespace().next()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        // `rest` has no leading white space, so the word is its prefix.
        self.rest = self.rest[word.len()..].trim_ascii_start();
        Some(word)
    }
}

/// Appends `word` to `text`, with one space between words.
pub(crate) fn push_word(text: &mut String, word: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(word);
}

/// Writes a space, the keyword `name`, a space and the value; nothing without a value.
pub(crate) fn write_field(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    value: Option<impl fmt::Display>,
) -> fmt::Result {
    match value {
        Some(value) => write!(f, " {name} {value}"),
        None => Ok(()),
    }
}
