//! What commands say on standard error.

use std::io::{self, Write};

pub use tamarin_base::with_causes;

/// Writes a line to standard error; if that is closed there is nobody to tell.
pub fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
