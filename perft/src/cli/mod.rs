//! The command line shared by `perft` and `tamarin perft`.

mod output;
mod resume;
mod session;
mod single;
mod suite;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use tamarin_base::complain;

use crate::cache::Cache;
use crate::compare::{self, CompareError, EngineArguments, Task};
use crate::run::Depth;
use crate::suite::SuiteError;
use session::PerftCommandError;

/// Exit codes: 0 if all went well, 1 if a suite has a wrong count, 2 for bad input or
/// output that cannot be written, 130 if Ctrl-C cut the work short.
const EXIT_CODES: &str = "Exit codes: 0 all well, 1 a suite's count or an engine is wrong, \
    2 bad input or unwritable output, 3 an engine could not be compared, 130 stopped by Ctrl-C.";

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    /// Plies to count, 1 to 20; with --suite the greatest depth to check
    #[arg(required_unless_present_any = ["suite", "engine"])]
    depth: Option<Depth>,

    /// Position to count from, with or without quotes [default: the start position]
    #[arg(conflicts_with = "suite")]
    fen: Vec<String>,

    /// Show the count behind every move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,

    /// Show for each depth how many moves are captures, castles, checks, mates and so on
    #[arg(long, conflicts_with_all = ["suite", "divide", "engine", "plain"])]
    details: bool,

    /// Keep the count behind each root move in this file, and go on from what it has
    #[arg(long, value_name = "FILE", conflicts_with_all = ["suite", "details", "engine"])]
    resume: Option<PathBuf>,

    /// Threads to count with [default: one for every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Size of the cache of counts in MiB; 0 counts every node
    #[arg(long, value_name = "MiB", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(..=i64::from(Cache::MAX_MEBIBYTES)))]
    hash: u32,

    /// Play every move but those of the last ply, instead of counting the last two plies by
    /// differences
    #[arg(long)]
    plain: bool,

    /// Write castling as "king takes own rook" and its rights as files
    #[arg(long)]
    chess960: bool,

    /// Write one JSON object instead of text
    #[arg(long)]
    json: bool,

    /// Check the counts of an EPD file with lines like `FEN ;D1 20 ;D2 400`, or of the built-in
    /// `rules`: one position for each rule that move generators get wrong
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,

    /// Leave out the suite's counts above this number
    #[arg(long, value_name = "N", requires = "suite")]
    max_nodes: Option<u64>,

    #[command(flatten)]
    other: EngineArguments,
}

impl Arguments {
    fn comparison(&self) -> Task<'_> {
        Task {
            engine: &self.other,
            depth: self.depth,
            fen: self.fen.join(" "),
            suite: self.suite.as_deref(),
            max_nodes: self.max_nodes,
            chess960: self.chess960,
            json: self.json,
        }
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
        _ if arguments.other.engine.is_some() => {
            compare::execute(&arguments.comparison()).map_err(PerftCommandError::from)
        }
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

impl From<CompareError> for PerftCommandError {
    fn from(error: CompareError) -> Self {
        match error {
            CompareError::Input(text) => Self::Input(text),
            CompareError::Suite(error) => Self::Suite(error),
            CompareError::Output(error) => Self::Output(error),
        }
    }
}
