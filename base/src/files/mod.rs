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
mod append;
mod input;
mod install;
mod kind;
pub mod lines;
mod new_file;
mod own;
mod stdout;
mod target;
#[cfg(test)]
mod tests;

pub use append::Appender;
pub use input::{
    BYTE_ORDER_MARK, open_plain, open_stdin, open_stream, read_plain, read_stream,
    read_stream_text, read_text,
};
pub use install::Old;
pub use kind::is_same;
pub use new_file::{NewFile, TemporaryFile, remove_unfinished_on_signal};
pub use own::{LockedFile, open_own, read_own, state_folder, write_own};
pub use stdout::{end_of_output, survive_size_limit};
pub use target::{Reader, Target};
