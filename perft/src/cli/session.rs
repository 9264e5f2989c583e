//! What a command works with, why it can fail, and the line of progress of what takes long.

use core::num::NonZeroUsize;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tamarin_base::TableError;
use tamarin_base::process::shutdown::stop_on_signal;
use tamarin_movegen::{CastlingNotation, CastlingStyle};

use crate::cache::Cache;
use crate::cli::Arguments;
use crate::cli::output::millions;
use crate::count::LastPlies;
use crate::run::{Control, Options, Overflow};
use crate::suite::SuiteError;

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PerftCommandError {
    #[error("{0}")]
    Input(String),
    #[error("{0}")]
    Suite(#[from] SuiteError),
    #[error("{0}")]
    Cache(#[from] TableError),
    #[error("{0}")]
    Overflow(#[from] Overflow),
    #[error("{file}: line {line}: {error}")]
    Record { file: String, line: usize, error: Overflow },
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// How positions and moves are written.
#[derive(Clone, Copy)]
pub(crate) struct Notation {
    pub(crate) castling: CastlingNotation,
    pub(crate) rights: CastlingStyle,
}

impl Notation {
    pub(crate) const fn new(chess960: bool) -> Self {
        let (castling, rights) = if chess960 {
            (CastlingNotation::KingTakesRook, CastlingStyle::Shredder)
        } else {
            (CastlingNotation::Classic, CastlingStyle::Standard)
        };
        Self { castling, rights }
    }
}

/// What counting one position and checking a suite share.
pub(super) struct Session {
    pub(super) threads: NonZeroUsize,
    pub(super) cache: Option<Cache>,
    last_plies: LastPlies,
    pub(super) control: Control,
    pub(super) notation: Notation,
}

impl Session {
    /// From now on Ctrl-C ends the work with what was counted so far, and a second one at once.
    pub(super) fn new(arguments: &Arguments) -> Result<Self, PerftCommandError> {
        Ok(Self {
            threads: arguments
                .threads
                .and_then(|threads| NonZeroUsize::new(threads.into()))
                .or_else(|| thread::available_parallelism().ok())
                .unwrap_or(NonZeroUsize::MIN),
            cache: Cache::new(arguments.hash)?,
            last_plies: if arguments.plain { LastPlies::Played } else { LastPlies::Differences },
            control: Control::stopped_by(stop_on_signal()),
            notation: Notation::new(arguments.chess960),
        })
    }

    pub(super) fn options(&self) -> Options<'_> {
        Options { threads: self.threads, cache: self.cache.as_ref(), last_plies: self.last_plies }
    }
}

/// Work that is done sooner shows no progress.
const PATIENCE: Duration = Duration::from_secs(1);

/// Time between two looks at the progress.
const INTERVAL: Duration = Duration::from_millis(100);

/// Does `work`, showing its progress on standard error if that is a terminal; how long it took.
pub(super) fn watch<T: Send>(control: &Control, work: impl FnOnce() -> T + Send) -> (T, Duration) {
    let start = Instant::now();
    if !io::stderr().is_terminal() {
        return (work(), start.elapsed());
    }
    thread::scope(|scope| {
        let (alive, ended) = mpsc::channel::<()>();
        let worker = scope.spawn(move || {
            // Dropped when the work ends, by a panic too, which wakes the watcher.
            let _alive = alive;
            work()
        });
        let mut shown = false;
        while ended.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            if start.elapsed() >= PATIENCE {
                show(&line(control, start.elapsed()));
                shown = true;
            }
        }
        if shown {
            show("");
        }
        let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        (result, start.elapsed())
    })
}

/// Replaces the line of progress.
fn show(text: &str) {
    // The answer of the command does not depend on whether its progress is seen.
    let _ = write!(io::stderr(), "\r\x1b[K{text}");
}

fn line(control: &Control, time: Duration) -> String {
    let progress = control.progress();
    let percent = 100 * progress.done / progress.total.max(1);
    let (nodes, rate) = (progress.nodes, millions(progress.nodes.into(), time));
    format!("{percent:>3} %  {nodes} nodes  {rate:.0} Mnps  {} s", time.as_secs())
}
