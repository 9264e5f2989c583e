//! Why a run ends early.

use std::io;
use std::path::{Path, PathBuf};

use super::report::Format;
use crate::analyzer::EffortError;
use tamarin_search::HashFileError;

/// Why a run ends early.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error("{}", .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{}: neither games nor positions", .0.display())]
    Empty(PathBuf),
    #[error("{}: nothing that can be analyzed; no report was written", .0.display())]
    AllBad(PathBuf),
    #[error("{text:?} is neither a file nor a position: {reason}")]
    Position { text: String, reason: String },
    #[error("one file at a time: cat *.pgn | tamarin analyse -")]
    SeveralFiles,
    #[error(
        "{}: reports end in {}; with --format any name will do", .0.display(), Format::extensions()
    )]
    Extension(PathBuf),
    /// The engine cannot be had.
    #[error(transparent)]
    Effort(#[from] EffortError),
    /// The file of `--hash-file` is no hash file, or of another program or network.
    #[error("{}: not used as a hash table and left as it is", .path.display())]
    Hash { path: PathBuf, source: HashFileError },
    /// A run with other options or another input was cut off.
    #[error(
        "{}: left by a run with other options or another input; --restart begins anew",
        .0.display()
    )]
    OtherRun(PathBuf),
    /// A file of somebody else has the name of one that grows.
    #[error(
        "{}: not of a run that was cut off, and left as it is; give the report another name, or \
         --restart to overwrite it", .0.display()
    )]
    InTheWay(PathBuf),
    #[error("{}: another run is writing it", .0.display())]
    Busy(PathBuf),
    #[error("standard output")]
    Output(#[from] io::Error),
}

impl Failure {
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |source| Self::File { path, source }
    }

    /// Returns `true` if somebody stopped reading the output, which is no error to report.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}
