//! What a run prints: lines on standard output, its progress on standard error.

use core::cell::Cell;
use std::fmt::Arguments;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
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
        FAILURE.lock().get_or_insert(error);
    }
}

/// Prints a line on standard error about what is left out; the work goes on without a reader.
pub fn warn(text: Arguments<'_>) {
    let _ = writeln!(io::stderr(), "warning: {text}");
}

/// Whether all lines were printed.
///
/// # Errors
/// Why the first of the others was not.
pub fn outcome() -> io::Result<()> {
    FAILURE.lock().take().map_or(Ok(()), Err)
}

/// Between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

/// How far a long piece of work is, printed on standard error.
pub struct Progress {
    bar: ProgressBar,
    /// Steps that were done in earlier runs.
    start: u64,
    last_line: Cell<Instant>,
}

impl Progress {
    /// Work of `total` steps, of which `done` were done in earlier runs; `what` names them.
    pub fn new(what: &'static str, total: u64, done: u64) -> Self {
        let style = ProgressStyle::with_template(
            "{wide_bar} {human_pos}/{human_len} {prefix} [{elapsed} < {eta}] {msg}",
        );
        let bar = ProgressBar::new(total)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            .with_prefix(what)
            .with_position(done);
        bar.reset_eta();
        Self { bar, start: done, last_line: Cell::new(Instant::now()) }
    }

    /// Time since the beginning of this run.
    pub fn elapsed(&self) -> Duration {
        self.bar.elapsed()
    }

    /// So many steps are done now, with those of earlier runs; `detail` says more about it.
    pub fn advance(&self, done: u64, detail: impl FnOnce() -> String) {
        self.bar.set_position(done);
        if !self.bar.is_hidden() {
            self.bar.set_message(detail());
        } else if self.last_line.get().elapsed() >= LINE_EVERY {
            self.last_line.set(Instant::now());
            let total = self.bar.length().unwrap_or(done);
            let fresh = done.saturating_sub(self.start).max(1);
            let left =
                self.elapsed().as_secs_f64() * total.saturating_sub(done) as f64 / fresh as f64;
            let left = HumanDuration(Duration::from_secs(left as u64));
            let (what, detail) = (self.bar.prefix(), detail());
            // The work goes on without a reader.
            let _ = writeln!(io::stderr(), "{done}/{total} {what}, {left} left, {detail}");
        }
    }

    pub fn finish(&self) {
        self.bar.finish();
    }
}
