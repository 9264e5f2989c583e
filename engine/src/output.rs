//! Standard output in whole lines, and the log of both directions.

use std::fmt::Display;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

/// Standard output, shared by the session, the reader of the input and the search.
///
/// A line is formatted first and written in one call under the lock, so lines of several
/// threads never mix. The first write that fails closes the output: nothing more is tried, and
/// the hook given to [`Output::new`] runs, once.
pub struct Output {
    pipe: Mutex<Box<dyn Write + Send>>,
    log: Mutex<Option<File>>,
    closed: AtomicBool,
    on_close: Box<dyn Fn() + Send + Sync>,
}

impl Output {
    /// An output into `pipe`; `on_close` runs when nobody reads it any more.
    pub fn new(pipe: Box<dyn Write + Send>, on_close: Box<dyn Fn() + Send + Sync>) -> Self {
        Self {
            pipe: Mutex::new(pipe),
            log: Mutex::new(None),
            closed: AtomicBool::new(false),
            on_close,
        }
    }

    /// Prints one line, or several when the text holds several.
    pub fn line(&self, text: &(impl Display + ?Sized)) {
        let mut bytes = text.to_string();
        self.record("<<", &bytes);
        bytes.push('\n');
        if self.closed.load(Ordering::Relaxed) {
            return;
        }
        let written = {
            let mut pipe = self.pipe.lock();
            pipe.write_all(bytes.as_bytes()).and_then(|()| pipe.flush())
        };
        if written.is_err() {
            self.close();
        }
    }

    /// Nobody reads the output any more.
    pub fn close(&self) {
        if !self.closed.swap(true, Ordering::Relaxed) {
            (self.on_close)();
        }
    }

    /// Logs a line of the input.
    pub fn received(&self, text: &str) {
        self.record(">>", text);
    }

    /// Logs both directions to the end of the file at `path` from now on; `""` ends the log.
    ///
    /// # Errors
    /// If the file cannot be opened for writing, or is a pipe, which might wait for a reader for
    /// ever; the log then stays as it was.
    pub fn log_to(&self, path: &str) -> io::Result<()> {
        let file = match path {
            "" => None,
            _ if is_pipe(path) => {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a pipe"));
            }
            _ => Some(OpenOptions::new().create(true).append(true).open(path)?),
        };
        *self.log.lock() = file;
        Ok(())
    }

    /// Writes to the log. One that cannot be written is closed: the game goes on.
    fn record(&self, direction: &str, text: &str) {
        let mut log = self.log.lock();
        let Some(file) = log.as_mut() else { return };
        let mut entry = String::with_capacity(text.len() + 8);
        for line in text.lines() {
            entry.push_str(direction);
            entry.push(' ');
            entry.push_str(line);
            entry.push('\n');
        }
        if file.write_all(entry.as_bytes()).is_err() {
            *log = None;
        }
    }
}

fn is_pipe(path: &str) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        std::fs::metadata(path).is_ok_and(|found| found.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

#[cfg(test)]
mod tests {
    use super::Output;
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
            Box::new(move || {
                counter.fetch_add(1, Ordering::Relaxed);
            }),
        );
        output.line("readyok");
        assert_eq!(closings.load(Ordering::Relaxed), 0);
        output.line("bestmove e2e4");
        assert_eq!(closings.load(Ordering::Relaxed), 1, "the line that failed has closed it");
        output.line("bestmove d2d4");
        output.close();
        assert_eq!(taken.lock().as_slice(), b"readyok\nbestmove e");
        assert_eq!(closings.load(Ordering::Relaxed), 1);
    }
}
