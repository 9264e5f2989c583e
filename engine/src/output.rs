//! Standard output in whole lines, and the log of both directions.

use std::fmt::Display;
use std::io::{self, Stdout, Write};
use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use parking_lot::Mutex;
use tamarin_base::files::{Appender, Reader, Target};
use tamarin_base::process::{Writing, has_room};

use tamarin_base::complain;

/// Where the lines go.
pub trait Pipe: Write + Send {
    /// Whether a text of up to [`SHORT`] bytes can be written now without waiting for a reader.
    fn has_room(&self) -> bool;
}

/// The longest text that a pipe with any room at all takes at once, in bytes: POSIX's least
/// `PIPE_BUF`.
const SHORT: usize = 512;

/// The most that waits of what the reader of the input says, in bytes.
const MAX_LEFT: usize = 1 << 20;

/// Standard output, shared by the session, the reader of the input and the search.
///
/// A line is formatted first and written in one call under the lock, so lines of several
/// threads never mix. The first write that fails closes the output: nothing more is tried, and
/// the hook given to [`Output::new`] runs, once. A client that stopped reading is no failure; a
/// full disk is one, which is reported on standard error.
///
/// Who prints a line waits until it is written, for ever if the client does not read. Only the
/// reader of the input never waits, so that `quit` and the end of the input always arrive: what it
/// has to say ([`Output::answer`]) is written by the thread that is writing already.
pub struct Output {
    pipe: Mutex<Box<dyn Pipe>>,
    /// Whole lines that the next thread to write has to write as well.
    left: Mutex<Vec<u8>>,
    /// Whether a thread was started to write them.
    has_writer: AtomicBool,
    writing: Arc<Writing>,
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
    pub fn new(pipe: Box<dyn Pipe>, on_close: Box<dyn Fn(Closed) + Send + Sync>) -> Self {
        Self {
            pipe: Mutex::new(pipe),
            left: Mutex::default(),
            has_writer: AtomicBool::new(false),
            writing: Arc::default(),
            log: Mutex::new(None),
            closed: AtomicBool::new(false),
            failed: AtomicBool::new(false),
            in_xboard: AtomicBool::new(false),
            on_close,
        }
    }

    /// Prints one line, or several when the text holds several. Waits for a client that is slow to
    /// read.
    pub fn line(&self, text: &(impl Display + ?Sized)) {
        let bytes = self.recorded(text);
        let mut pipe = self.pipe.lock();
        self.write(&mut **pipe, bytes.as_bytes());
        drop(pipe);
        self.write_left();
    }

    /// Prints a line and never waits: if the client does not read, or another thread is writing,
    /// the line is printed by and by. A client that reads nothing loses those beyond 1 MiB.
    pub fn answer(self: &Arc<Self>, text: &(impl Display + ?Sized)) {
        let bytes = self.recorded(text);
        let mut left = self.left.lock();
        if left.len() + bytes.len() <= MAX_LEFT {
            left.extend_from_slice(bytes.as_bytes());
        }
        let is_short = left.len() <= SHORT;
        drop(left);
        // Whoever holds the lock looks for lines that were left after giving it back.
        let Some(mut pipe) = self.pipe.try_lock() else { return };
        if is_short && pipe.has_room() {
            let bytes = mem::take(&mut *self.left.lock());
            self.write(&mut **pipe, &bytes);
            return;
        }
        drop(pipe);
        if !self.has_writer.swap(true, Ordering::AcqRel) {
            let output = Arc::clone(self);
            let write = move || {
                drop(output.pipe.lock());
                output.has_writer.store(false, Ordering::Release);
                output.write_left();
            };
            if thread::Builder::new().name("output".into()).spawn(write).is_err() {
                // The next line that is printed takes them along.
                self.has_writer.store(false, Ordering::Release);
            }
        }
    }

    /// Whether and how far a line is being written.
    pub fn writing(&self) -> Arc<Writing> {
        Arc::clone(&self.writing)
    }

    /// The text with its end, which is logged; before it what is to be reported of the log.
    fn recorded(&self, text: &(impl Display + ?Sized)) -> String {
        let mut text = text.to_string();
        if let Err(error) = self.record("<<", &text) {
            text = format!("{}\n{text}", self.log_is_closed(&error));
        }
        text.push('\n');
        text
    }

    /// Writes the lines that were left, unless another thread is writing, which does it then.
    fn write_left(&self) {
        while !self.left.lock().is_empty() {
            let Some(mut pipe) = self.pipe.try_lock() else { return };
            let bytes = mem::take(&mut *self.left.lock());
            self.write(&mut **pipe, &bytes);
        }
    }

    fn write(&self, pipe: &mut dyn Pipe, bytes: &[u8]) {
        if self.closed.load(Ordering::Relaxed) {
            return;
        }
        self.writing.turn();
        let written = self.write_all(pipe, bytes);
        self.writing.turn();
        let Err(error) = written else { return };
        if error.kind() != io::ErrorKind::BrokenPipe && !self.failed.swap(true, Ordering::Relaxed) {
            complain(&format!("error: standard output: {error}"));
        }
        self.close();
    }

    /// Returns `true` if something could not be written, though there is somebody to read it.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// From now on what the output itself reports is in the words of the XBoard protocol, or of
    /// UCI.
    pub fn set_xboard(&self, in_xboard: bool) {
        self.in_xboard.store(in_xboard, Ordering::Relaxed);
    }

    /// As `write_all`, with a mark of progress after each part.
    fn write_all(&self, pipe: &mut dyn Pipe, mut bytes: &[u8]) -> io::Result<()> {
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
    pub fn received(self: &Arc<Self>, text: &str) {
        if let Err(error) = self.record(">>", text) {
            self.answer(&self.log_is_closed(&error));
        }
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

    /// What is reported of a log that cannot be written: the game goes on.
    fn log_is_closed(&self, error: &io::Error) -> String {
        match self.in_xboard.load(Ordering::Relaxed) {
            true => format!("Error (log closed): {error}"),
            false => format!("info string error: the log is closed: {error}"),
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

impl Pipe for Stdout {
    fn has_room(&self) -> bool {
        has_room()
    }
}

#[cfg(test)]
mod tests {
    use super::{Closed, MAX_LEFT, Output, Pipe, SHORT};
    use std::io::{self, Write};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    use parking_lot::{Condvar, Mutex};

    /// Takes some bytes, then fails like a closed pipe.
    struct Closing {
        taken: Arc<Mutex<Vec<u8>>>,
        room: usize,
    }

    impl Pipe for Closing {
        fn has_room(&self) -> bool {
            true
        }
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

    #[cfg(unix)]
    #[test]
    fn standard_output_that_is_read_has_room() {
        let begun = Instant::now();
        while !Pipe::has_room(&io::stdout()) {
            assert!(begun.elapsed() < PATIENCE, "no room in standard output");
            thread::yield_now();
        }
    }

    /// Takes no text longer than `room` bytes until somebody reads: who writes one waits.
    #[derive(Clone, Default)]
    struct Unread {
        room: usize,
        taken: Arc<Mutex<Vec<u8>>>,
        read: Arc<(Mutex<bool>, Condvar)>,
    }

    impl Unread {
        fn begin_to_read(&self) {
            *self.read.0.lock() = true;
            self.read.1.notify_all();
        }

        /// What was written, as soon as it has `bytes` bytes.
        fn wait_for(&self, bytes: usize) -> String {
            let begun = Instant::now();
            while self.taken.lock().len() < bytes {
                assert!(begun.elapsed() < PATIENCE, "lines are lost");
                thread::yield_now();
            }
            String::from_utf8(self.taken.lock().clone()).expect("lines are text")
        }
    }

    impl Pipe for Unread {
        fn has_room(&self) -> bool {
            self.room > 0 || *self.read.0.lock()
        }
    }

    impl Write for Unread {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let mut is_read = self.read.0.lock();
            while !*is_read && bytes.len() > self.room {
                self.read.1.wait(&mut is_read);
            }
            self.taken.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// The patience against hangs.
    const PATIENCE: Duration = Duration::from_secs(60);

    #[test]
    fn answers_wait_for_nobody_and_come_out_when_the_client_reads() {
        for another_thread_writes in [false, true] {
            let pipe = Unread::default();
            let output = Arc::new(Output::new(Box::new(pipe.clone()), Box::new(|_| ())));
            let mut wanted = String::new();
            if another_thread_writes {
                let output = Arc::clone(&output);
                thread::spawn(move || output.line("info depth 1"));
                wanted.push_str("info depth 1\n");
            }
            // If one of them waited, this would never end.
            for number in 0..1000 {
                output.answer(&number);
                wanted.push_str(&format!("{number}\n"));
            }
            pipe.begin_to_read();
            let mut lines: Vec<_> =
                pipe.wait_for(wanted.len()).lines().map(str::to_owned).collect();
            lines.retain(|line| line != "info depth 1");
            assert!(lines.iter().map(|line| line.parse()).eq((0..1000).map(Ok)), "{lines:?}");
        }
    }

    #[test]
    fn a_single_answer_comes_out_when_the_client_reads() {
        let pipe = Unread::default();
        let output = Arc::new(Output::new(Box::new(pipe.clone()), Box::new(|_| ())));
        for wanted in ["readyok\n", "readyok\nreadyok\n"] {
            *pipe.read.0.lock() = false;
            output.answer("readyok");
            pipe.begin_to_read();
            assert_eq!(pipe.wait_for(wanted.len()), wanted);
        }
    }

    #[test]
    fn short_answers_are_printed_at_once_and_long_ones_by_another_thread() {
        let pipe = Unread { room: SHORT, ..Unread::default() };
        let output = Arc::new(Output::new(Box::new(pipe.clone()), Box::new(|_| ())));
        let text = "x".repeat(SHORT);
        output.answer(&text[1..]);
        assert_eq!(pipe.taken.lock().len(), SHORT, "with the end of the line");
        // If this thread wrote it, the test would never end.
        output.answer(&text);
        pipe.begin_to_read();
        pipe.wait_for(SHORT + SHORT + 1);
    }

    #[test]
    fn answers_that_nobody_reads_take_bounded_memory() {
        let pipe = Unread::default();
        let output = Arc::new(Output::new(Box::new(pipe.clone()), Box::new(|_| ())));
        for _ in 0..MAX_LEFT {
            output.answer("readyok");
        }
        assert!(output.left.lock().len() <= MAX_LEFT);
        pipe.begin_to_read();
        let whole = |line: &str| line == "readyok";
        assert!(pipe.wait_for(MAX_LEFT / 2).lines().all(whole));
    }
}
