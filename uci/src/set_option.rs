//! `setoption`: a name and perhaps a value, not yet matched with an option.

use core::fmt;

use crate::Excerpt;
use crate::words::{Words, push_word};

/// A `setoption` command. [`crate::resolve`] finds the option and reads the value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetOption {
    /// The name with single spaces, in the client's case.
    pub name: String,
    /// The text after `value` with its inner spaces; empty for `<empty>` or nothing after the
    /// word; `None` without the word.
    pub value: Option<String>,
}

/// How the protocol writes an empty string.
pub(crate) const EMPTY: &str = "<empty>";

/// Why a `setoption` line was refused. No option changes.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetOptionError {
    /// The line does not go on with `name`.
    #[error("setoption: expected name, not {text}")]
    ExpectedName {
        /// The word found, empty at the end of the line.
        text: Excerpt,
    },
    /// No words stand between `name` and `value`.
    #[error("setoption: the name is empty")]
    EmptyName,
}

impl SetOption {
    /// Reads what follows `setoption`.
    pub(crate) fn parse(mut words: Words<'_>) -> Result<Self, SetOptionError> {
        match words.next() {
            Some("name") => {}
            other => {
                let text = Excerpt::from(other.unwrap_or_default());
                return Err(SetOptionError::ExpectedName { text });
            }
        }
        let mut name = String::new();
        let mut value = None;
        while let Some(word) = words.next() {
            if word == "value" {
                let text = words.rest();
                let text = if text.eq_ignore_ascii_case(EMPTY) { "" } else { text };
                value = Some(text.to_owned());
                break;
            }
            push_word(&mut name, word);
        }
        if name.is_empty() { Err(SetOptionError::EmptyName) } else { Ok(Self { name, value }) }
    }
}

impl fmt::Display for SetOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "setoption name {}", self.name)?;
        match self.value.as_deref() {
            None => Ok(()),
            Some("") => write!(f, " value {EMPTY}"),
            Some(value) => write!(f, " value {value}"),
        }
    }
}
