//! Lines on standard output.

use std::fmt::Arguments;
use std::io::{self, Write as _};

use parking_lot::Mutex;

/// Why the first line that could not be printed was not.
static FAILURE: Mutex<Option<io::Error>> = Mutex::new(None);

/// Prints a line on standard output, as `println!` does, but without a panic: hours of games go on
/// when the reader of the output is gone or the disk is full. [`outcome`] says so at the end.
macro_rules! report {
    ($($text:tt)*) => { $crate::report::line(format_args!($($text)*)) };
}
pub(crate) use report;

pub fn line(text: Arguments<'_>) {
    if let Err(error) = writeln!(io::stdout(), "{text}") {
        failed(error);
    }
}

/// Keeps why standard output could not be written, for [`outcome`].
pub fn failed(error: io::Error) {
    FAILURE.lock().get_or_insert(error);
}

/// Whether all lines were printed.
///
/// # Errors
/// Why the first of the others was not.
pub fn outcome() -> io::Result<()> {
    FAILURE.lock().take().map_or(Ok(()), Err)
}
