//! Playing training games: the engine against itself, on all cores.
//!
//! Source of the recipe (random plies, soft node limit, adjudication by scores): the data
//! generators of Viridithas, Reckless and akimbo.

mod adjudication;
mod openings;
mod output;
mod play;
mod schedule;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

use serde::{Deserialize, Serialize};
use tamarin_search::StartError;

use crate::data::{DataError, FileError, PackError};
use crate::engine::NodeLimits;

pub use adjudication::Adjudication;
pub use openings::{BookError, OpeningChoice, OpeningKind};

pub(crate) use openings::Openings;
#[cfg(feature = "spsa")]
pub(crate) use {adjudication::Streaks, play::result};

use output::Output;
use play::Player;
use schedule::Schedule;

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The file to write; if it is there, the work goes on where it was left
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Games that the file shall hold
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    games: u64,

    /// Games played at the same time [default: one for every core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    recipe: Recipe,
}

/// What decides which games are played. Kept beside them: a file is continued with the
/// recipe it was begun with.
#[derive(clap::Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// Seed of the openings; another seed plays other games
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Nodes after which the search of a move begins no other iteration
    #[arg(long, default_value_t = 5_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// The search of a move ends after this many times --nodes
    #[arg(long, default_value_t = 8, value_name = "FACTOR",
          value_parser = clap::value_parser!(u64).range(1..))]
    hard_factor: u64,

    /// Hash table of each game, in MiB
    #[arg(long, default_value_t = 8, value_name = "MiB",
          value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,

    #[command(flatten)]
    #[serde(flatten)]
    openings: OpeningChoice,

    /// Openings are used if the first score is within so many engine units
    #[arg(long, default_value_t = 350, value_name = "UNITS")]
    opening_score: u16,

    #[command(flatten)]
    adjudication: Adjudication,
}

impl Recipe {
    fn limits(&self) -> NodeLimits {
        NodeLimits { soft: self.nodes, hard: self.nodes.saturating_mul(self.hard_factor) }
    }
}

/// Why no more games are made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatagenError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The games that are there are damaged.
    #[error("the games so far are damaged")]
    Data(#[from] DataError),
    /// A game cannot be written.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// The book is of no use.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The engine does not start.
    #[error("the engine does not start")]
    Start(#[from] StartError),
    /// Another process writes this file.
    #[error("{0} is being written by another process")]
    Locked(PathBuf),
    /// There are games without their recipe.
    #[error("{games} is there without {recipe}, so it cannot be continued; choose another file")]
    NoRecipe {
        /// The file of games.
        games: PathBuf,
        /// The file that is missing.
        recipe: PathBuf,
    },
    /// The recipe cannot be understood.
    #[error("{path} is no recipe")]
    BadRecipe {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The games were begun in another way.
    #[error("{path}: its {what} is {there}, not {here}; choose another file")]
    OtherRecipe {
        /// The file of games.
        path: PathBuf,
        /// What differs.
        what: &'static str,
        /// What it was.
        there: String,
        /// What it would be now.
        here: String,
    },
}

/// Plays games until the file holds as many as were asked for.
///
/// # Errors
/// Why there are no more. All games that ended before are in the file.
pub fn run(arguments: &Arguments) -> Result<(), DatagenError> {
    let recipe = &arguments.recipe;
    let openings = Openings::new(&recipe.openings)?;
    let output = Output::open(&arguments.out, recipe)?;
    println!("{}", output.summary());
    let threads = arguments
        .threads
        .or_else(|| thread::available_parallelism().ok())
        .map_or(1, NonZeroUsize::get);
    let mut players = Vec::new();
    for _ in 0..threads {
        players.push(Player::new(recipe, &openings)?);
    }
    let schedule = Schedule::new(output, arguments.games);
    thread::scope(|scope| {
        for mut player in players {
            let schedule = &schedule;
            scope.spawn(move || {
                while let Some(number) = schedule.begin() {
                    schedule.end(&player.game(number));
                }
            });
        }
    });
    let output = schedule.finish()?;
    println!("{}", output.summary());
    Ok(())
}
