//! What commands say on standard error.

use std::error::Error;
use std::io::{self, Write};

/// Writes a line to standard error; if that is closed there is nobody to tell.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// The message of an error and those of its causes, each after a colon.
pub fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        text += &format!(": {source}");
        cause = source.source();
    }
    text
}
