//! The command line of `tamarin analyse`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::explaining::Explain;
use super::report::{Format, Style};
use super::source::Origin;
use crate::analyzer::Effort;
use crate::error::Error;
use crate::resources::{LimitArguments, ResourceArguments, time_help};

/// Time a position without any other limit, in milliseconds.
const DEFAULT_TIME: u64 = 100;

/// Lines that a search for puzzles finds at least.
const PUZZLE_LINES: u16 = 3;

const EXIT_CODES: &str = "Exit codes: 0 all well; 1 games or positions were left out; \
    2 bad input or unwritable output; 130 interrupted.";

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = EXIT_CODES,
    mut_arg("time", |time| time.help(time_help(DEFAULT_TIME))))]
pub struct Arguments {
    /// Files of games in PGN or of positions (EPD or FEN, one a line), packed with gzip or not, or
    /// standard input (-); or a FEN
    #[arg(required = true, value_name = "FILE|FEN")]
    input: Vec<OsString>,

    /// Report file; the extension selects the format (.pgn, .json, .html, .txt, .epd). If such a
    /// run is cut off, the same command goes on where it was [default: -, standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Write the mistakes to this file as puzzles (EPD) for `tamarin play --puzzles`; instead of a
    /// report but with --output
    #[arg(long, value_name = "FILE")]
    puzzles: Option<PathBuf>,

    /// Copy games and positions that are left out to this file [default: OUTPUT.rejected if there
    /// is such an output, else nowhere]
    #[arg(long, value_name = "FILE")]
    pub rejected: Option<PathBuf>,

    /// The form of the report [default: by the name of the output; else PGN for games and text
    /// for positions]
    #[arg(short, long, value_enum)]
    format: Option<Format>,

    #[command(flatten)]
    pub(crate) limits: LimitArguments,

    /// How many of the best lines are found
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u16).range(1..=256))]
    lines: u16,

    /// The longest line that is shown, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 12,
          value_parser = clap::value_parser!(u16).range(1..=200))]
    line_length: u16,

    /// Say why, in sentences that further searches prove: of each mistake, or of every move
    #[arg(long, value_enum, value_name = "WHICH", num_args = 0..=1, require_equals = true,
          default_missing_value = "mistakes")]
    explain: Option<Explain>,

    #[command(flatten)]
    pub(crate) resources: ResourceArguments,

    /// Keep what searches learn in this file, also on Ctrl-C, and go on with what it has. All
    /// threads search the same position then, and nothing is forgotten between games
    #[arg(long, value_name = "FILE")]
    pub hash_file: Option<PathBuf>,

    /// Begin anew instead of going on with a run that was cut off
    #[arg(long)]
    pub restart: bool,

    /// Show no progress and no summary
    #[arg(short, long)]
    pub quiet: bool,
}

impl Arguments {
    /// Where the games or positions come from.
    pub fn origin(&self) -> Origin {
        Origin::of(&self.input)
    }

    /// Returns `true` if the name of the report asks for a form that there is not.
    pub fn has_unknown_extension(&self) -> bool {
        let name = self.output.as_deref().filter(|_| self.format.is_none());
        name.is_some_and(|name| name.extension().is_some() && Format::of_path(name).is_none())
    }

    /// The file of the report or of the puzzles; `None` is standard output.
    pub fn output(&self) -> Option<&Path> {
        let path = self.output.as_deref().or(self.puzzles.as_deref());
        path.filter(|path| *path != Path::new("-"))
    }

    /// The file of the puzzles beside a report.
    pub fn puzzles_beside(&self) -> Option<&Path> {
        self.puzzles.as_deref().filter(|_| self.output.is_some())
    }

    /// The settings of each search.
    pub fn effort(&self) -> Result<Effort, Error> {
        // A puzzle has to know which other moves are as good as the best.
        let lines = if self.puzzles.is_some() { self.lines.max(PUZZLE_LINES) } else { self.lines };
        self.resources.effort(self.limits.limits(DEFAULT_TIME), lines.into())
    }

    /// How the report is written, by default as `fallback`.
    pub fn style(&self, fallback: Format) -> Style {
        let puzzles = self.puzzles_beside().is_some();
        let only = self.puzzles.as_ref().filter(|_| !puzzles).map(|_| Format::Epd);
        let by_name = || self.output.as_deref().and_then(Format::of_path);
        let format = only.or(self.format).or_else(by_name).unwrap_or(fallback);
        Style { format, line_length: self.line_length.into(), explain: self.explain, puzzles }
    }
}
