//! What was ignored in a line that was otherwise understood, and its text made safe to print.

use core::fmt;

use crate::Millis;

/// A part of a line that had no effect. Printed after `info string`; the rest of the line holds.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Note {
    /// Unknown words stood before the command, as the protocol allows.
    #[error("ignored unknown text {text} before the command")]
    Skipped {
        /// The unknown words.
        text: Excerpt,
    },
    /// Words stood after a command that takes no more of them.
    #[error("ignored {text} after the command")]
    Trailing {
        /// The words.
        text: Excerpt,
    },
    /// A limit of `go` had a decimal fraction; the whole number before it holds.
    #[error("go: ignored the fraction of {keyword} {text}")]
    Fraction {
        /// The limit, such as `depth`.
        keyword: &'static str,
        /// The value as sent.
        text: Excerpt,
    },
    /// A limit of `go` had a value that is not a whole number.
    #[error("go: ignored {keyword} {text}: not a whole number")]
    BadValue {
        /// The limit, such as `depth`.
        keyword: &'static str,
        /// The value as sent.
        text: Excerpt,
    },
    /// A limit of `go` had no value.
    #[error("go: ignored {keyword}: no value")]
    NoValue {
        /// The limit, such as `depth`.
        keyword: &'static str,
    },
    /// No limit of `go` could be read, so that the search gets another one.
    #[error("go: no limit can be read, the search takes {time} ms")]
    NoLimit {
        /// The time of the search.
        time: Millis,
    },
    /// A word of `go` that no limit is called.
    #[error("go: ignored unknown word {text}")]
    UnknownWord {
        /// The word.
        text: Excerpt,
    },
    /// More notes were made than are kept.
    #[error("{count} more parts of this line were ignored")]
    More {
        /// How many notes were dropped.
        count: usize,
    },
}

/// Collects notes up to a bound: a line of garbage must not become thousands of output lines.
#[derive(Default)]
pub(crate) struct Notes {
    kept: Vec<Note>,
    dropped: usize,
}

impl Notes {
    /// Notes kept of one line, before the one that counts the others.
    pub(crate) const LIMIT: usize = 8;

    /// Keeps the note that `make` builds, or counts it.
    pub(crate) fn add(&mut self, make: impl FnOnce() -> Note) {
        if self.kept.len() < Self::LIMIT {
            self.kept.push(make());
        } else {
            self.dropped += 1;
        }
    }

    /// The notes in the order of the line.
    pub(crate) fn into_vec(mut self) -> Vec<Note> {
        if self.dropped > 0 {
            self.kept.push(Note::More { count: self.dropped });
        }
        self.kept
    }
}

/// A short, quotable piece of what the client sent: at most [`Excerpt::LIMIT`] characters are
/// kept, and printing escapes quotes and control characters, so that a message stays one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt(String);

impl Excerpt {
    /// How many characters of the text are kept. Enough for a FEN.
    pub const LIMIT: usize = 100;

    /// The text kept, unescaped.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Excerpt {
    fn from(text: &str) -> Self {
        match text.char_indices().nth(Self::LIMIT) {
            None => Self(text.to_owned()),
            Some((end, _)) => Self(format!("{}...", &text[..end])),
        }
    }
}

impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Excerpt;

    #[test]
    fn cuts_on_a_character_and_escapes() {
        assert_eq!(Excerpt::from("a\"b\nc\0").to_string(), r#""a\"b\nc\0""#);
        let long = "é".repeat(Excerpt::LIMIT + 1);
        let excerpt = Excerpt::from(long.as_str());
        assert_eq!(excerpt.as_str().chars().count(), Excerpt::LIMIT + 3);
        assert!(excerpt.as_str().ends_with("é..."));
        let exact = "é".repeat(Excerpt::LIMIT);
        assert_eq!(Excerpt::from(exact.as_str()).as_str(), exact);
    }
}
