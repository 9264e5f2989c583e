//! Standard output in whole lines, and the log of both directions.

use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use tamarin_base::complain;
use tamarin_base::files::{Appender, Reader, Target};
use tamarin_base::process::Writing;
use tamarin_uci::{Reply, xboard};

use crate::inbox::Protocol;

/// Standard output, shared by the session and the search.
///
/// A line is formatted first and written in one call under the lock, so lines of several
/// threads never mix. The first write that fails closes the output: nothing more is tried, and
/// the hook given to [`Output::new`] runs, once. A client that stopped reading is no failure; a
/// full disk is one, which is reported on standard error.
///
/// Who prints a line waits until it is written, for ever if the client does not read. So the reader
/// of the input prints nothing: `quit` and the end of the input always arrive.
pub struct Output {
    pipe: Mutex<Box<dyn Write + Send>>,
    writing: Arc<Writing>,
    log: Mutex<Log>,
    closed: AtomicBool,
    failed: AtomicBool,
    in_xboard: AtomicBool,
    on_close: Box<dyn Fn(Closed) + Send + Sync>,
}

/// The file of `Debug Log File`.
#[derive(Default)]
struct Log {
    file: Option<Appender>,
    /// Why it was closed, until that is reported.
    failure: Option<io::Error>,
}

impl Log {
    /// Appends each line of a text, and closes the file where that fails.
    fn record(&mut self, direction: &str, text: &str) {
        let Some(file) = &mut self.file else { return };
        let lines = text.lines().map(|line| format!("{direction} {line}\n"));
        if let Err(error) = file.append(lines.collect::<String>().as_bytes()) {
            *self = Self { file: None, failure: Some(error) };
        }
    }
}

/// Why the output is closed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Closed {
    /// Its reader has closed it.
    ByReader,
    /// It cannot be written, as on a full disk.
    ByFailure,
}

impl Output {
    /// An output into `pipe`; `on_close` runs when nothing can be written any more.
    pub fn new(pipe: Box<dyn Write + Send>, on_close: Box<dyn Fn(Closed) + Send + Sync>) -> Self {
        Self {
            pipe: Mutex::new(pipe),
            writing: Arc::default(),
            log: Mutex::default(),
            closed: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            in_xboard: AtomicBool::new(false),
            on_close,
        }
    }

    /// Prints one line, or several when the text holds several. Waits for a client that is slow to
    /// read.
    pub fn line(&self, text: &(impl Display + ?Sized)) {
        let mut text = text.to_string();
        let failure = {
            let mut log = self.log.lock();
            log.record("<<", &text);
            log.failure.take()
        };
        if let Some(error) = failure {
            text = match self.in_xboard.load(Ordering::Relaxed) {
                true => format!("Error (log closed): {error}\n{text}"),
                false => format!("info string error: the log is closed: {error}\n{text}"),
            };
        }
        if REMARKS.iter().any(|start| text.starts_with(start)) {
            text = without_alarms(text);
        }
        text.push('\n');
        self.write(text.as_bytes());
    }

    /// Prints a remark: `info string TEXT`, or `# TEXT` in the XBoard protocol.
    pub fn note(&self, text: &str) {
        match self.in_xboard.load(Ordering::Relaxed) {
            true => self.line(&xboard::Reply::Debug(text)),
            false => self.line(&Reply::Text(text)),
        }
    }

    /// Whether and how far a line is being written.
    pub fn writing(&self) -> Arc<Writing> {
        Arc::clone(&self.writing)
    }

    /// Remarks are in the words of this protocol from now on.
    pub fn set_protocol(&self, protocol: Protocol) {
        self.in_xboard.store(protocol == Protocol::XBoard, Ordering::Relaxed);
    }

    fn write(&self, bytes: &[u8]) {
        let mut pipe = self.pipe.lock();
        if self.closed.load(Ordering::Relaxed) {
            return;
        }
        self.writing.turn();
        let written = self.write_all(&mut **pipe, bytes);
        self.writing.turn();
        drop(pipe);
        let Err(error) = written else { return };
        if error.kind() != io::ErrorKind::BrokenPipe && !self.failed.swap(true, Ordering::Relaxed) {
            complain(&format!("error: standard output: {error}"));
        }
        self.close();
    }

    /// As `write_all`, with a mark of progress after each part.
    fn write_all(&self, pipe: &mut dyn Write, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            match pipe.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
            self.writing.progress();
        }
        pipe.flush()
    }

    /// Returns `true` if something could not be written, although it is read.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
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
        self.log.lock().record(">>", text);
    }

    /// Logs both directions to the end of the file at `path` from now on; `""` ends the log.
    ///
    /// # Errors
    /// If the file cannot be opened for writing, or is a pipe without a reader; the log then stays
    /// as it was.
    pub fn log_to(&self, path: &str) -> io::Result<()> {
        let file = match path {
            "" => None,
            _ => Some(Target::of_user(Path::new(path))?.append(Reader::There)?),
        };
        self.log.lock().file = file;
        Ok(())
    }
}

/// How lines begin that may quote an error of the system.
const REMARKS: [&str; 5] = ["info string ", "# ", "Error ", "telluser", "Illegal "];

/// The text without the words at which XBoard gives up an engine, wherever they stand in a line.
fn without_alarms(mut text: String) -> String {
    const ALARMS: [(&str, &str); 6] = [
        ("No such file", "no file"),
        ("Permission denied", "access refused"),
        ("No remote directory", "no remote folder"),
        ("unknown host", "no such host"),
        ("can't alloc", "cannot take"),
        ("not found", "missing"),
    ];
    for (alarm, plain) in ALARMS {
        if text.contains(alarm) {
            text = text.replace(alarm, plain);
        }
    }
    text
}

#[cfg(test)]
pub mod tests {
    use super::{Closed, Output};
    use std::io::{self, Write};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use crate::inbox::Protocol;
    use parking_lot::Mutex;

    /// Takes some bytes, then fails like a closed pipe.
    pub struct Closing {
        pub taken: Arc<Mutex<Vec<u8>>>,
        pub room: usize,
    }

    impl Write for Closing {
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
    fn remarks_have_no_words_at_which_xboard_gives_up() {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let pipe = Closing { taken: Arc::clone(&taken), room: 1000 };
        let output = Output::new(Box::new(pipe), Box::new(|_| ()));
        let missing = io::Error::from_raw_os_error(2);
        output.note(&format!("tablebases left out: /x ({missing})"));
        output.set_protocol(Protocol::XBoard);
        output.note(&format!("{}", io::Error::from_raw_os_error(13)));
        output.line("telluser not found");
        let text = String::from_utf8(taken.lock().clone()).unwrap();
        assert_eq!(text.lines().count(), 3);
        for alarm in ["No such file", "Permission denied", "not found"] {
            assert!(!text.contains(alarm), "{text}");
        }
    }

    #[test]
    fn lines_come_out_in_order_until_the_pipe_closes_and_the_hook_runs_once() {
        let taken = Arc::new(Mutex::new(Vec::new()));
        let closings = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&closings);
        let output = Output::new(
            Box::new(Closing { taken: Arc::clone(&taken), room: 18 }),
            Box::new(move |closed| {
                assert_eq!(closed, Closed::ByReader);
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
