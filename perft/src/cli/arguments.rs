//! The command line.

use std::path::PathBuf;

use crate::cache::Cache;
use crate::depth::Depth;

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
    pub(super) depth: Option<Depth>,

    /// Position to count from, with or without quotes [default: the start position]
    #[arg(conflicts_with = "suite")]
    pub(super) fen: Vec<String>,

    /// Show the count behind every move
    #[arg(long, conflicts_with = "suite")]
    pub(super) divide: bool,

    /// Threads to count with [default: one for every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,

    /// Size of the cache of counts in MiB; 0 counts every node
    #[arg(long, value_name = "MiB", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(..=i64::from(Cache::MAX_MEBIBYTES)))]
    pub(super) hash: u32,

    /// Write castling as "king takes own rook" and its rights as files
    #[arg(long)]
    pub(super) chess960: bool,

    /// Write one JSON object instead of text
    #[arg(long)]
    pub(super) json: bool,

    /// Check the counts of an EPD file with lines like `FEN ;D1 20 ;D2 400`
    #[arg(long, value_name = "FILE")]
    pub(super) suite: Option<PathBuf>,

    /// Leave out the suite's counts above this number
    #[arg(long, value_name = "N", requires = "suite")]
    pub(super) max_nodes: Option<u64>,
}

impl Arguments {
    /// The file of the suite as messages name it.
    pub(super) fn suite_name(&self) -> String {
        self.suite.as_deref().map(|path| path.display().to_string()).unwrap_or_default()
    }
}
