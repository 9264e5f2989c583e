//! Standard output in whole lines, and the log of both directions.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use tamarin_files::{Appender, Reader, Target};

use crate::message::complain;

/// Standard output, shared by the session, the reader of the input and the search.
///
/// A line is formatted first and written in one call under the lock, so lines of several
/// threads never mix. The first write that fails closes the output: nothing more is tried, and
/// the hook given to [`Output::new`] runs, once. A client that stopped reading is no failure; a
/// full disk is one, which is reported on standard error.
pub struct Output {
    pipe: Mutex<Box<dyn Write + Send>>,
    log: Mutex<Option<Appender>>,
    closed: AtomicBool,
    failed: AtomicBool,
    in_xboard: AtomicBool,
    on_close: Box<dyn Fn(Closed) + Send + Sync>,
}

/// Why the output is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closed {
    /// Nobody reads it any more.
    ByReader,
    /// It cannot be written, as on a full disk.
    ByFailure,
}

impl Output {
    /// An output into `pipe`; `on_close` runs when nothing can be written any more.
    pub fn new(pipe: Box<dyn Write + Send>, on_close: Box<dyn Fn(Closed) + Send + Sync>) -> Self {
        Self {
            pipe: Mutex::new(pipe),
            log: Mutex::new(None),
            closed: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            in_xboard: AtomicBool::new(false),
            on_close,
        }
    }

    /// Prints one line, or several when the text holds several.
    pub fn line(&self, text: &(impl Display + ?Sized)) {
        let mut bytes = text.to_string();
        self.log("<<", &bytes);
        bytes.push('\n');
        if self.closed.load(Ordering::Relaxed) {
            return;
        }
        let written = {
            let mut pipe = self.pipe.lock();
            pipe.write_all(bytes.as_bytes()).and_then(|()| pipe.flush())
        };
        let Err(error) = written else { return };
        if error.kind() != io::ErrorKind::BrokenPipe && !self.failed.swap(true, Ordering::Relaxed) {
            complain(&format!("error: standard output: {error}"));
        }
        self.close();
    }

    /// Whether something could not be written, though there is somebody to read it.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// From now on what the output itself reports is in the words of the XBoard protocol, or of
    /// UCI.
    pub fn set_xboard(&self, in_xboard: bool) {
        self.in_xboard.store(in_xboard, Ordering::Relaxed);
    }

    /// Nothing can be written any more.
    pub fn close(&self) {
        if !self.closed.swap(true, Ordering::Relaxed) {
            (self.on_close)(match self.has_failed() {
                true => Closed::ByFailure,
                false => Closed::ByReader,
            });
        }
    }

    /// Logs a line of the input.
    pub fn received(&self, text: &str) {
        self.log(">>", text);
    }

    /// Logs both directions to the end of the file at `path` from now on; `""` ends the log.
    ///
    /// # Errors
    /// If the file cannot be opened for writing, or is a pipe that nobody reads; the log then stays
    /// as it was.
    pub fn log_to(&self, path: &str) -> io::Result<()> {
        let log = match path {
            "" => None,
            _ => Some(Target::of_user(Path::new(path))?.append(Reader::There)?),
        };
        *self.log.lock() = log;
        Ok(())
    }

    /// Writes to the log. One that cannot be written is closed and reported: the game goes on.
    fn log(&self, direction: &str, text: &str) {
        let Err(error) = self.record(direction, text) else { return };
        match self.in_xboard.load(Ordering::Relaxed) {
            true => self.line(&format!("Error (log closed): {error}")),
            false => self.line(&format!("info string error: the log is closed: {error}")),
        }
    }

    /// Writes to the log, and closes it where that fails.
    fn record(&self, direction: &str, text: &str) -> io::Result<()> {
        let mut log = self.log.lock();
        let Some(file) = log.as_mut() else { return Ok(()) };
        let mut entry = String::with_capacity(text.len() + 8);
        for line in text.lines() {
            entry.push_str(direction);
            entry.push(' ');
            entry.push_str(line);
            entry.push('\n');
        }
        let written = file.append(entry.as_bytes());
        if written.is_err() {
            *log = None;
        }
        written
    }
}

#[cfg(test)]
mod tests {
    use super::{Closed, Output};
    use std::io::{self, Write};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use parking_lot::Mutex;

    /// Takes some bytes, then fails like a closed pipe.
    struct Pipe {
        taken: Arc<Mutex<Vec<u8>>>,
        room: usize,
    }

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let count = bytes.len().min(self.room);
            if count == 0 {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.room -= count;
            self.taken.lock().extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_come_out_in_order_until_the_pipe_closes_and_the_hook_runs_once() {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let closings = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&closings);
        let output = Output::new(
            Box::new(Pipe { taken: Arc::clone(&taken), room: 18 }),
            Box::new(move |closed| {
                assert_eq!(closed, Closed::ByReader);
                counter.fetch_add(1, Ordering::Relaxed);
            }),
        );
        output.line("readyok");
        assert_eq!(closings.load(Ordering::Relaxed), 0);
        output.line("bestmove e2e4");
        output.line("bestmove d2d4");
        output.close();
        assert_eq!(taken.lock().as_slice(), b"readyok\nbestmove e");
        assert_eq!(closings.load(Ordering::Relaxed), 1);
    }
}
