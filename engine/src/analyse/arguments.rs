//! The command line of `tamarin analyse`.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use tamarin_search::{HASH_RANGE, Limits, Millis, THREADS_RANGE};

use super::evaluate::Effort;
use super::report::{Format, Style};
use super::source::Origin;

/// Time a position without any other limit, in milliseconds.
const DEFAULT_TIME: u64 = 100;

const EXIT_CODES: &str = "Exit codes: 0 all well; 1 games or positions were left out; \
    2 bad input or unwritable output; 130 interrupted.";

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    /// Games in PGN, positions (EPD or FEN, one a line), or a FEN
    #[arg(required = true, value_name = "FILE|FEN")]
    input: Vec<OsString>,

    /// Where the report goes: its name tells the form (.pgn, .json, .html, .txt). If such a run is
    /// cut off, the same command goes on where it was [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// The form of the report [default: by the name of the output; else PGN for games and text
    /// for positions]
    #[arg(short, long, value_enum)]
    format: Option<Format>,

    #[command(flatten)]
    pub limits: LimitArguments,

    /// How many of the best lines are found
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    lines: u16,

    /// The longest line that is shown, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 12,
          value_parser = clap::value_parser!(u16).range(1..=200))]
    line_length: u16,

    #[command(flatten)]
    pub resources: ResourceArguments,

    /// Begin anew instead of going on with a run that was cut off
    #[arg(long)]
    pub restart: bool,

    /// Show no progress and no summary
    #[arg(short, long)]
    pub quiet: bool,
}

/// When the search of a position ends; the limit reached first wins.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug)]
pub struct LimitArguments {
    /// Time a position, in milliseconds [default: 100 without another limit]
    #[arg(short, long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    time: Option<u64>,

    /// Depth of the search of a position, in plies
    #[arg(short, long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=245))]
    depth: Option<u32>,

    /// Nodes a position
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

impl LimitArguments {
    /// The limits of a search; `default_time` in milliseconds if none is given.
    pub fn limits(&self, default_time: u64) -> Limits {
        let is_free = self.time.is_none() && self.depth.is_none() && self.nodes.is_none();
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.time.or(is_free.then_some(default_time)).map(Millis::new),
            ..Limits::default()
        }
    }
}

/// What a run may take of the computer.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct ResourceArguments {
    /// Threads, each with a game or position of its own [default: one a core]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u16).range(*THREADS_RANGE.start() as i64..=*THREADS_RANGE.end() as i64))]
    threads: Option<u16>,

    /// Transposition table of each, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(*HASH_RANGE.start() as i64..=*HASH_RANGE.end() as i64))]
    hash: u32,

    /// Folders of Syzygy endgame tablebases
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    syzygy: String,
}

impl ResourceArguments {
    /// How many threads there are to be.
    pub fn threads(&self) -> usize {
        let wanted = self.threads.map(usize::from).and_then(NonZeroUsize::new);
        let found = wanted.or_else(|| thread::available_parallelism().ok());
        found.map_or(1, NonZeroUsize::get)
    }

    /// What each search is told.
    pub fn effort(&self, limits: Limits, lines: usize) -> Effort {
        Effort { limits, lines, hash: self.hash as usize, tablebases: self.syzygy.clone() }
    }
}

impl Arguments {
    /// Where the games or positions come from.
    pub fn origin(&self) -> Origin {
        Origin::of(&self.input)
    }

    /// What each search is told.
    pub fn effort(&self) -> Effort {
        self.resources.effort(self.limits.limits(DEFAULT_TIME), self.lines.into())
    }

    /// How the report is written, by default as `fallback`.
    pub fn style(&self, fallback: Format) -> Style {
        let by_name = || self.output.as_deref().and_then(Format::of_path);
        let format = self.format.or_else(by_name).unwrap_or(fallback);
        Style { format, line_length: self.line_length.into() }
    }
}
