//! What a command works with, and how it can end.

use core::num::NonZeroUsize;
use std::io::{self, Write};
use std::sync::Arc;
use std::thread;

use tamarin_base::TableError;
use tamarin_base::process::shutdown::{Interrupts, on_signal};
use tamarin_movegen::{CastlingNotation, CastlingStyle};

use crate::cache::Cache;
use crate::cli::arguments::Arguments;
use crate::control::Control;
use crate::run::{Options, Overflow};
use crate::suite::SuiteError;

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
pub(super) enum PerftCommandError {
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

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Good,
    Mismatch,
    Interrupted,
}

/// How positions and moves are written.
#[derive(Clone, Copy)]
pub(super) struct Notation {
    pub(super) castling: CastlingNotation,
    pub(super) rights: CastlingStyle,
}

/// What counting one position and checking a suite share.
pub(super) struct Session {
    pub(super) threads: NonZeroUsize,
    pub(super) cache: Option<Cache>,
    pub(super) control: Arc<Control>,
    pub(super) notation: Notation,
}

impl Session {
    pub(super) fn new(arguments: &Arguments) -> Result<Self, PerftCommandError> {
        let (castling, rights) = if arguments.chess960 {
            (CastlingNotation::KingTakesRook, CastlingStyle::Shredder)
        } else {
            (CastlingNotation::Classic, CastlingStyle::Standard)
        };
        Ok(Self {
            threads: arguments
                .threads
                .and_then(|threads| NonZeroUsize::new(threads.into()))
                .or_else(|| thread::available_parallelism().ok())
                .unwrap_or(NonZeroUsize::MIN),
            cache: Cache::new(arguments.hash)?,
            control: Arc::new(Control::new()),
            notation: Notation { castling, rights },
        })
    }

    pub(super) fn options(&self) -> Options<'_> {
        Options { threads: self.threads, cache: self.cache.as_ref() }
    }

    /// Lets Ctrl-C end the work with what was counted so far, and a second one at once.
    pub(super) fn listen_for_interrupt(&self) {
        let control = Arc::clone(&self.control);
        let handler = move || {
            if control.is_stopped() {
                std::process::exit(130);
            }
            control.stop();
        };
        on_signal(Arc::new(Interrupts::default()), handler);
    }
}

/// Writes a line to standard error, if that is open.
pub(super) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
