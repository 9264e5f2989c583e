//! Messages for standard error, errors with their causes in one line, and numbers with what they
//! count.

use core::error::Error;
use core::fmt::Display;
use std::io::{self, Write};

/// Prints a line on standard error; if that is closed, it is dropped.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// The message of an error and those of its causes, each after a colon. A cause with which the
/// message ends already, because an error quotes its source, is not repeated.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        let message = source.to_string();
        if !text.ends_with(&message) {
            text += &format!(": {message}");
        }
        cause = source.source();
    }
    text
}

/// A number and what it counts, with the word for one and for several: `1 ply`, `2 plies`.
///
/// ```
/// use tamarin_base::counted;
///
/// assert_eq!(counted(1, "ply", "plies"), "1 ply");
/// assert_eq!(counted(0, "ply", "plies"), "0 plies");
/// ```
pub fn counted<N>(count: N, one: &str, several: &str) -> String
where
    N: Copy + Display + PartialEq + From<u8>,
{
    let word = if count == N::from(1) { one } else { several };
    format!("{count} {word}")
}

#[cfg(test)]
mod tests {
    use super::with_causes;
    use std::io;

    #[derive(Debug, thiserror::Error)]
    enum Sample {
        #[error("cannot write: {0}")]
        Quoting(#[source] io::Error),
        #[error("cannot write")]
        Plain(#[source] io::Error),
    }

    #[test]
    fn each_cause_is_named_once() {
        let full = || io::Error::other("disk full");
        for error in [Sample::Quoting(full()), Sample::Plain(full())] {
            assert_eq!(with_causes(&error), "cannot write: disk full");
        }
    }
}
