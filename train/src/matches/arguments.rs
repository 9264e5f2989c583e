//! The command line of a match.

use std::path::PathBuf;

use tamarin_game::clock::TimeControl;

use super::adjudication::{DrawRule, ResignRule};
use super::sprt::{Hypotheses, Model};

/// Milliseconds.
pub const DEFAULT_MARGIN: u64 = 50;

/// Seconds.
pub const DEFAULT_PATIENCE: u32 = 30;

/// Who plays the games.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runner {
    /// fastchess or cutechess-cli, whichever is on the path, else our own
    Auto,
    /// Our own
    Own,
    /// fastchess
    Fastchess,
    /// cutechess-cli
    Cutechess,
}

/// The arguments of `tamarin-train match`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The new version: a program and its arguments
    #[arg(long, value_name = "COMMAND")]
    pub new: String,

    /// Its opponent: a program and its arguments
    #[arg(long, value_name = "COMMAND")]
    pub old: String,

    /// What the new version is called
    #[arg(long, value_name = "NAME", default_value = "new")]
    pub new_name: String,

    /// What its opponent is called
    #[arg(long, value_name = "NAME", default_value = "old")]
    pub old_name: String,

    /// Seconds and increment, such as 8+0.08 or 40/60+0.6
    #[arg(long, value_name = "TC", value_parser = time_control, conflicts_with = "nodes")]
    pub tc: Option<TimeControl>,

    /// Nodes a move instead of a clock
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,

    /// Games to play [default: 400, or up to 40000 with a test]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    pub games: Option<u32>,

    /// Stop when one of two Elo differences is decided on, such as "0 10"
    #[arg(long, value_name = "ELO0 ELO1", allow_hyphen_values = true)]
    pub sprt: Option<Hypotheses>,

    /// The scale of these differences
    #[arg(long, value_enum, default_value_t = Model::Normalized)]
    pub model: Model,

    /// FEN or EPD, one position a line; without it the new version makes openings (genfens)
    #[arg(long, value_name = "FILE")]
    pub book: Option<PathBuf>,

    /// Of the order of openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,

    /// MiB of hash table
    #[arg(long, value_name = "MIB", default_value_t = 16)]
    pub hash: u32,

    /// Threads of each engine
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: u32,

    /// An option for both engines
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    pub option: Vec<(String, String)>,

    /// An option for the new version
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    pub new_option: Vec<(String, String)>,

    /// An option for its opponent
    #[arg(long, value_name = "NAME=VALUE", value_parser = option)]
    pub old_option: Vec<(String, String)>,

    /// With a clock, the value of the opponent's option Move Overhead in milliseconds, if it has
    /// this option
    #[arg(long, value_name = "MS")]
    pub old_overhead: Option<u32>,

    /// Games at a time [default: as many as fit on the processor's cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub concurrency: Option<u32>,

    /// Overrun of the clock that is forgiven, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = DEFAULT_MARGIN)]
    pub margin: u64,

    /// Seconds beyond its clock, or by nodes beyond ten minutes, after which an engine without an
    /// answer counts as stalled, by our own referee
    #[arg(long, value_name = "SECONDS", default_value_t = DEFAULT_PATIENCE)]
    pub patience: u32,

    /// Castling moves as in Chess960
    #[arg(long)]
    pub chess960: bool,

    /// Call draws: first move, moves in a row, centipawns, such as "34 8 20"
    #[arg(long, value_name = "RULE")]
    pub draw: Option<DrawRule>,

    /// Call losses: moves in a row, centipawns, such as "3 600"
    #[arg(long, value_name = "RULE")]
    pub resign: Option<ResignRule>,

    /// Who plays the games
    #[arg(long, value_enum, default_value_t = Runner::Auto)]
    pub runner: Runner,

    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,

    /// Append a row to this list of matches
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,

    /// Day of the match
    #[arg(long, value_name = "YYYY-MM-DD", default_value = "????-??-??")]
    pub date: String,

    /// Node counts of `bench`, for the row
    #[arg(long, value_name = "N / N", default_value = "")]
    pub bench: String,

    /// What is to be found out, for the row
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub what: String,
}

/// Reads `name=value`.
fn option(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Reads `base+increment` or `moves/base+increment`, in seconds.
pub fn time_control(text: &str) -> Result<TimeControl, String> {
    let control = TimeControl::from_pgn(text).filter(|control| !control.base.is_zero());
    control.ok_or_else(|| {
        format!("{text:?} is not a time control such as 8+0.08, 60 or 40/60+0.6, in seconds")
    })
}
