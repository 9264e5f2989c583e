//! Why a command ends early.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use tamarin_base::{complain, with_causes};
use tamarin_game::book::file::BookError;
use tamarin_game::engine_process::EngineError;
use tamarin_game::evaluator::EvaluatorError;
use tamarin_movegen::FenError;
use tamarin_search::{MateMemoryError, NoTablebases};

use crate::analyse::Format;

/// The exit code of bad input and unwritable output.
const NO_ANSWER: u8 = 2;

/// The exit code of a run that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// Why a command ends early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{}", .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("standard output")]
    Output(#[from] io::Error),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error(transparent)]
    Tablebases(#[from] NoTablebases),
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    #[error("{}: neither games nor positions", .0.display())]
    Empty(PathBuf),
    #[error("{}: nothing that can be analyzed; no report was written", .0.display())]
    AllBad(PathBuf),
    #[error("{text:?} is neither a file nor a position: {reason}")]
    Position { text: String, reason: String },
    #[error(
        "{}: reports end in {}; with --format any name will do", .0.display(), Format::extensions()
    )]
    Extension(PathBuf),
    /// The file of `--hash-file` is no hash file, or of another program or network.
    #[error("{}: not used as a hash table and left as it is", .path.display())]
    Hash { path: PathBuf, source: EngineError },
    /// A run with other options or another input was cut off.
    #[error(
        "{}: left by a run with other options or another input; --restart begins anew",
        .0.display()
    )]
    OtherRun(PathBuf),
    /// A file of another program has the name of one that grows.
    #[error(
        "{}: not of a run that was cut off, and left as it is; give the report another name, or \
         --restart to overwrite it", .0.display()
    )]
    InTheWay(PathBuf),
    #[error("{}: another run is writing it", .0.display())]
    Busy(PathBuf),
    #[error("{}: it has no position with bm, am, dm or c8{first}", .path.display())]
    NoTasks { path: PathBuf, first: String },
    #[error("{}", .path.display())]
    Book { path: PathBuf, source: BookError },
    #[error("the position: {0}")]
    BookPosition(String),
    #[error("{0:?} is no number of moves: 1 to {max}, or -0 to -{max}", max = crate::mate::MAX_MOVES)]
    Moves(String),
    #[error("bad position: {0}")]
    Fen(#[from] FenError),
    #[error(transparent)]
    Memory(#[from] MateMemoryError),
}

impl Error {
    /// Of a file that cannot be read or written.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::File { path, source }
    }
}

/// The exit code of a command. An error is reported with its causes, but for an output that nobody
/// reads any more.
pub fn exit_code(done: Result<ExitCode, Error>) -> ExitCode {
    done.unwrap_or_else(|error| {
        if !matches!(&error, Error::Output(source) if source.kind() == io::ErrorKind::BrokenPipe) {
            complain(&format!("error: {}", with_causes(&error)));
        }
        ExitCode::from(NO_ANSWER)
    })
}
