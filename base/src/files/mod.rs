//! How all programs write and read files, in one place, so that all of them keep the same promises:
//!
//! - A file has its old content or its new one, never a part of it: new content is written under
//!   another name in the same folder and renamed ([`NewFile`]). What is appended is whole or not
//!   there ([`Appender`]).
//! - Devices and pipes are written through, never replaced by a file.
//! - A link that the user named is followed, and stays. Names that a program makes up itself lead
//!   nowhere else: links and devices there are refused.
//! - A replaced file keeps its mode, and [`Old`] says what was replaced.
//! - A file that is read is not written by the same command ([`Target::unlike`]).
//! - A limit on the size of files is an error like a full disk, not the end of the process
//!   ([`survive_size_limit`]).
//! - Input without an end is refused ([`open_plain`], [`read_plain`], [`open_stream`],
//!   [`open_stdin`]), or read in lines of bounded length ([`lines`]).
//!
//! ```
//! use std::io::Write;
//! use tamarin_base::files::Target;
//!
//! let folder = tempfile::tempdir()?;
//! let [input, output] = ["games.pgn", "book.bin"].map(|name| folder.path().join(name));
//! std::fs::write(&input, "1. e4 *")?;
//! let target = Target::of_user(&output)?;
//! target.unlike([&input])?;
//! let mut file = target.create()?;
//! file.write_all(b"entries")?;
//! assert_eq!(file.finish()?, None, "no file was replaced");
//! assert!(Target::of_user(&input)?.unlike([&input]).is_err());
//! # Ok::<(), std::io::Error>(())
//! ```
mod input;
mod kind;
pub mod lines;
mod new_file;
mod own;
mod target;
#[cfg(test)]
mod tests;

pub use input::{
    BYTE_ORDER_MARK, open_plain, open_stdin, open_stream, read_plain, read_stream,
    read_stream_text, read_text,
};
pub use kind::is_same;
pub use new_file::{NewFile, Old, TemporaryFile, remove_unfinished_on_signal};
pub use own::{LockedFile, open_own, read_own, state_folder, write_own};
pub use target::{Appender, Reader, Target};

use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::process::shutdown::UNWRITABLE;

/// The end of a command that only prints: `status` if `printed` says that all went well and the
/// output can be written to its end. Else a message on standard error, but for a closed pipe, whose
/// reader wants no more, and status 2.
pub fn end_of_output(printed: io::Result<()>, status: i32) -> ExitCode {
    let status = u8::try_from(status).unwrap_or(UNWRITABLE);
    match printed.and_then(|()| io::stdout().flush()) {
        Ok(()) => ExitCode::from(status),
        Err(error) => {
            if error.kind() != io::ErrorKind::BrokenPipe {
                // Without standard error the message is lost.
                let _ = writeln!(io::stderr(), "error: standard output: {error}");
            }
            ExitCode::from(UNWRITABLE)
        }
    }
}

/// From now on a write beyond the limit on the size of files (`ulimit -f`) fails like one to a full
/// disk, instead of ending the process. Programs that this one starts are not affected.
#[cfg(unix)]
pub fn survive_size_limit() {
    use signal_hook::consts::SIGXFSZ;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    // A handler, because a signal that is ignored stays ignored in other programs. The flag says
    // nothing that the failed write does not say.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// The same where there is no such signal.
#[cfg(not(unix))]
pub fn survive_size_limit() {}
