//! The command line shared by `perft` and `tamarin perft`.

mod output;
mod single;
mod suite;
mod watch;

use core::num::NonZeroUsize;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;

use tamarin_movegen::{CastlingNotation, CastlingStyle};

use crate::cache::{Cache, CacheError};
use crate::depth::Depth;
use crate::run::{Control, Options};
use crate::suite::SuiteError;

/// Exit codes: 0 if all went well, 1 if a suite has a wrong count, 2 for bad input or
/// output that cannot be written, 130 if Ctrl-C cut the work short.
const EXIT_CODES: &str = "Exit codes: 0 all well, 1 a suite's count is wrong, \
    2 bad input or unwritable output, 130 stopped by Ctrl-C.";

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    /// Plies to count, 1 to 20; with --suite the greatest depth to check
    #[arg(required_unless_present = "suite")]
    depth: Option<Depth>,

    /// Position to count from, with or without quotes [default: the start position]
    #[arg(conflicts_with = "suite")]
    fen: Vec<String>,

    /// Show the count behind every move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,

    /// Threads to count with [default: one for every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Memory to remember counts in, in MiB; 0 counts every node
    #[arg(long, value_name = "MiB", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(..=i64::from(Cache::MAX_MEBIBYTES)))]
    hash: u32,

    /// Write castling as "king takes own rook" and its rights as files
    #[arg(long)]
    chess960: bool,

    /// Write one JSON object instead of text
    #[arg(long)]
    json: bool,

    /// Check the counts of an EPD file with lines like `FEN ;D1 20 ;D2 400`
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,

    /// Leave out the suite's counts above this number
    #[arg(long, value_name = "N", requires = "suite")]
    max_nodes: Option<u64>,
}

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    Input(String),
    #[error("{0}")]
    Suite(#[from] SuiteError),
    #[error("{0}")]
    Cache(#[from] CacheError),
    #[error("cannot write the result: {0}")]
    Output(#[from] io::Error),
}

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Good,
    Mismatch,
    Interrupted,
}

/// How positions and moves are written.
#[derive(Clone, Copy)]
struct Notation {
    castling: CastlingNotation,
    rights: CastlingStyle,
}

/// What both kinds of command need.
struct Session {
    threads: NonZeroUsize,
    cache: Option<Cache>,
    control: Arc<Control>,
    notation: Notation,
}

impl Session {
    fn new(arguments: &Arguments) -> Result<Self, Failure> {
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

    fn options(&self) -> Options<'_> {
        Options { threads: self.threads, cache: self.cache.as_ref() }
    }

    /// Lets Ctrl-C end the work with what was counted so far, and a second one at once.
    fn listen_for_interrupt(&self) {
        let control = Arc::clone(&self.control);
        let handler = move || {
            if control.is_stopped() {
                std::process::exit(130);
            }
            control.stop();
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            complain(&format!("note: Ctrl-C will not give a partial result: {error}"));
        }
    }
}

/// Does what the command line says and tells how it went.
#[must_use]
pub fn run(arguments: &Arguments) -> ExitCode {
    match execute(arguments) {
        Ok(Ending::Good) => ExitCode::SUCCESS,
        Ok(Ending::Mismatch) => ExitCode::from(1),
        Ok(Ending::Interrupted) => ExitCode::from(130),
        // Whoever read our output has gone and needs no message.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::from(2)
        }
        Err(Failure::Suite(SuiteError::Lines(lines))) => {
            for line in &lines {
                complain(&format!("error: {line}"));
            }
            ExitCode::from(2)
        }
        Err(failure) => {
            complain(&format!("error: {failure}"));
            ExitCode::from(2)
        }
    }
}

fn execute(arguments: &Arguments) -> Result<Ending, Failure> {
    match (&arguments.suite, arguments.depth) {
        (Some(path), _) => suite::execute(path, arguments),
        (None, Some(depth)) => single::execute(depth, arguments),
        (None, None) => Err(Failure::Input("a depth or --suite FILE is needed".to_owned())),
    }
}

/// Writes a line to standard error; if that is closed there is nobody to tell.
fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
