//! What commands print.

use std::io::{self, Write};

use super::source::Failure;

/// Prints to standard output at once.
pub(super) fn write_out(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(Failure::from)
}

/// Prints to standard error.
pub(super) fn tell(text: &str) {
    // If standard error is closed there is nobody to tell.
    let _ = io::stderr().write_all(text.as_bytes());
}
