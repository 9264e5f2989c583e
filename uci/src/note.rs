//! What was ignored in a line that was otherwise understood.

use crate::{Excerpt, Millis};

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
