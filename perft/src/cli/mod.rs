//! The command line shared by `perft` and `tamarin perft`.

mod output;
mod resume;
mod session;
mod single;
mod suite;

use core::fmt::Display;
use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use tamarin_base::complain;
use tamarin_movegen::Position;

use crate::cache::Cache;
use crate::compare::{self, EngineArguments};
use crate::run::Depth;
use crate::suite::{Limits, SuiteError};
pub(crate) use session::{Notation, PerftCommandError};

const EXIT_CODES: &str = "Exit codes: 0 all well, 1 a suite's count or an engine is wrong, \
    2 bad input or unwritable output, 3 an engine could not be compared, 130 stopped by Ctrl-C.";

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    /// Plies to count, 1 to 20; with --suite the greatest depth to check
    #[arg(required_unless_present_any = ["suite", "engine"])]
    pub(crate) depth: Option<Depth>,

    /// Position to count from, with or without quotes [default: the start position]
    #[arg(conflicts_with = "suite")]
    pub(crate) fen: Vec<String>,

    /// Show the count behind every move
    #[arg(long, conflicts_with = "suite")]
    pub(crate) divide: bool,

    /// Show for each depth how many moves are captures, castles, checks, mates and so on
    #[arg(long, conflicts_with_all = ["suite", "divide", "engine", "plain"])]
    pub(crate) details: bool,

    /// Keep the count behind each root move in this file, and go on from what it has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "details", "engine"])]
    pub(crate) resume: Option<PathBuf>,

    /// Threads to count with [default: one for every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Size of the cache of counts in MiB; 0 counts every node
    #[arg(long, value_name = "MiB", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(..=i64::from(Cache::MAX_MEBIBYTES)))]
    pub(crate) hash: u32,

    /// Play every move but those of the last ply, instead of counting the last two plies by
    /// differences
    #[arg(long)]
    pub(crate) plain: bool,

    /// Write castling as "king takes own rook" and its rights as files
    #[arg(long)]
    pub(crate) chess960: bool,

    /// Write one JSON object instead of text
    #[arg(long)]
    pub(crate) json: bool,

    /// Check the counts of an EPD file with lines like `FEN ;D1 20 ;D2 400`, or of the built-in
    /// `rules`: one position for each rule that move generators get wrong
    #[arg(long, value_name = "FILE")]
    pub(crate) suite: Option<PathBuf>,

    /// Leave out the suite's counts above this number
    #[arg(long, value_name = "N", requires = "suite")]
    pub(crate) max_nodes: Option<u64>,

    #[command(flatten)]
    pub(crate) other: EngineArguments,
}

impl Arguments {
    /// The position to count from, as `read` reads its FEN.
    pub(crate) fn position<T, E: Display>(
        &self,
        read: impl Fn(&str) -> Result<T, E>,
    ) -> Result<T, PerftCommandError> {
        let (start, fen) = (Position::startpos().to_string(), self.fen.join(" "));
        let fen = match fen.trim() {
            "" | "startpos" => &start,
            fen => fen,
        };
        read(fen)
            .map_err(|error| PerftCommandError::Input(format!("bad position {fen:?}: {error}")))
    }

    /// Which counts of a suite are checked.
    pub(crate) const fn limits(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.max_nodes }
    }

    /// The file of the suite as messages name it.
    fn suite_name(&self) -> String {
        self.suite.as_deref().map(|path| path.display().to_string()).unwrap_or_default()
    }
}

/// Bad lines of a suite that are shown: a file that is no suite has nothing else.
const MAX_COMPLAINTS: usize = 10;

/// Does what the command line says; returns how it went.
pub fn run(arguments: &Arguments) -> ExitCode {
    let executed = match &arguments.suite {
        _ if arguments.other.engine.is_some() => compare::execute(arguments),
        Some(path) => suite::execute(path, arguments),
        None => single::execute(arguments),
    };
    let failure = match executed {
        Ok(status) => return status,
        Err(failure) => failure,
    };
    let file = arguments.suite_name();
    match failure {
        // Whoever read our output has gone and needs no message.
        PerftCommandError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        PerftCommandError::Suite(SuiteError::Lines(lines)) => {
            for line in lines.iter().take(MAX_COMPLAINTS) {
                complain(&format!("error: {file}: {line}"));
            }
            if let Some(rest) = lines.len().checked_sub(MAX_COMPLAINTS).filter(|&rest| rest > 0) {
                complain(&format!("error: {file}: more bad lines: {rest}"));
            }
        }
        PerftCommandError::Suite(error @ SuiteError::Empty) => {
            complain(&format!("error: {file}: {error}"));
        }
        failure => complain(&format!("error: {failure}")),
    }
    ExitCode::from(2)
}
