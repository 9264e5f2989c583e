//! Playing training games: the engine against itself, on all cores.
//!
//! Source of the recipe (random plies, soft node limit, adjudication by scores): the data
//! generators of Viridithas, Reckless and akimbo.

mod adjudication;
mod error;
mod openings;
mod output;
mod play;
mod recipe;
mod rules;
mod schedule;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

pub use adjudication::Adjudication;
pub use error::DatagenError;
pub use openings::{NoOpening, OpeningChoice, OpeningKind};
pub use recipe::Recipe;

#[cfg(feature = "spsa")]
pub(crate) use adjudication::Streaks;
#[cfg(feature = "spsa")]
pub(crate) use openings::Openings;
pub(crate) use rules::result;

use crate::engine::fingerprint;
use crate::parallel::{spawn_searching, thread_count};
use crate::report::report;

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

/// Plays games until the file holds as many as were asked for.
///
/// # Errors
/// Why there are no more. All games that ended before are in the file.
pub fn run(arguments: &Arguments) -> Result<(), DatagenError> {
    let mut recipe = arguments.recipe.clone();
    let network = recipe.evaluator.load()?;
    let openings = recipe.openings.load()?;
    let recipe = &recipe;
    let output = Output::open(&arguments.out, recipe, fingerprint(network.as_ref())?)?;
    report!("{}", output.summary());
    let mut players = Vec::new();
    for _ in 0..thread_count(arguments.threads) {
        players.push(Player::new(recipe, &openings, network.as_ref())?);
    }
    let schedule = Schedule::new(output, arguments.games);
    thread::scope(|scope| {
        for mut player in players {
            let schedule = &schedule;
            let started = spawn_searching(scope, move || {
                while let Some(number) = schedule.begin() {
                    schedule.end(player.game(number));
                }
            });
            if let Err(error) = started {
                schedule.fail(error.into());
            }
        }
    });
    let output = schedule.finish()?;
    report!("{}", output.summary());
    Ok(())
}
