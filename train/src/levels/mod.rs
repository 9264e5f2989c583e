//! Measures the levels of play (`tamarin-train levels`): each against the one below it, the lowest
//! against a [`Beginner`](crate::beginner::Beginner).
//!
//! Both sides are engines of this process, each with a hash table of its own. A move is limited by
//! nodes, so the games are the same on any computer, however busy.

mod play;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use tamarin_eval::network::Network;
use tamarin_search::{RATINGS, StartError, Strength};

use crate::matches::ledger::{self, LedgerError, Row};
use crate::matches::openings::{self, distinct_pairs};
use crate::matches::{OpeningsError, Outcome};
use crate::parallel::thread_count;
use crate::report::report;
use play::{Conditions, Side};

/// The level that is full strength.
const FULL: u8 = 20;

/// The arguments of `tamarin-train levels`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The lowest level to measure; 1 plays the beginner
    #[arg(long, value_name = "1-20", default_value_t = 1,
          value_parser = clap::value_parser!(u8).range(1..=20))]
    from: u8,

    /// The highest
    #[arg(long, value_name = "1-20", default_value_t = FULL,
          value_parser = clap::value_parser!(u8).range(1..=20))]
    to: u8,

    /// Games of a match
    #[arg(long, value_name = "N", default_value_t = 60,
          value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,

    /// The most nodes a move; most levels use less
    #[arg(long, value_name = "N", default_value_t = 40_000,
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// FEN or EPD, one position a line
    #[arg(long, value_name = "FILE")]
    book: PathBuf,

    /// Of the order of openings; each match has another
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Games at a time [default: one for every core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// Append a row a match to this list
    #[arg(long, value_name = "FILE")]
    ledger: Option<PathBuf>,

    /// Day of the match
    #[arg(long, value_name = "YYYY-MM-DD", default_value = "????-??-??")]
    date: String,

    /// The version that plays, for the row
    #[arg(long, value_name = "COMMIT", default_value = "")]
    version: String,

    /// Node count of `bench`, for the row
    #[arg(long, value_name = "N", default_value = "")]
    bench: String,
}

/// Why the levels cannot be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LevelsError {
    #[error("there is no level to measure: --from {from} is above --to {to}; nothing was played")]
    NoLevel { from: u8, to: u8 },
    #[error("openings")]
    Openings(#[from] OpeningsError),
    #[error("the engines do not start")]
    Start(#[from] StartError),
    #[error("the list of matches")]
    Ledger(#[from] LedgerError),
}

/// Plays the matches, prints each result and appends its row.
pub fn run(arguments: &Arguments) -> Result<(), LevelsError> {
    let &Arguments { from, to, .. } = arguments;
    if from > to {
        return Err(LevelsError::NoLevel { from, to });
    }
    let network = Network::embedded();
    if let Some(path) = &arguments.ledger {
        ledger::check(path, [&arguments.book])?;
    }
    for level in from..=to {
        let seed = arguments.seed.wrapping_add(level.into());
        let openings = openings::read(&arguments.book, seed)?;
        let planned = arguments.games.div_ceil(2) as usize;
        // The beginner's moves differ from game to game.
        let repeats = level > 1;
        let pairs = if repeats { distinct_pairs(planned, &openings) } else { planned };
        let conditions = Conditions {
            sides: [side_of(level), side_of(level - 1)],
            openings: &openings,
            pairs,
            nodes: arguments.nodes,
            seed,
            network: &network,
        };
        let outcome = play::play(&conditions, thread_count(arguments.threads))?;
        let below = match level {
            1 => "a beginner".to_owned(),
            _ => format!("level {}", level - 1),
        };
        let what = format!("level {level} of play against {below}");
        report!("{what}: {}", outcome.line(None));
        if let Some(path) = &arguments.ledger {
            ledger::append(path, row(arguments, what, seed, &outcome))?;
        }
    }
    Ok(())
}

/// Who plays as a level; the beginner below the first.
fn side_of(level: u8) -> Side {
    match level {
        0 => Side::Beginner,
        // The numbers of the option `Skill Level` are those of the levels but for the first.
        1 => Side::Tamarin(Strength::Elo(*RATINGS.start())),
        FULL.. => Side::Tamarin(Strength::Full),
        _ => Side::Tamarin(Strength::Skill(level)),
    }
}

fn row(arguments: &Arguments, what: String, seed: u64, outcome: &Outcome) -> Row {
    let elo = outcome.pairs.elo();
    let finite = |value: f64| if value.is_finite() { format!("{value:.1}") } else { String::new() };
    let book = arguments.book.file_name().map(|name| name.to_string_lossy().into_owned());
    Row {
        date: arguments.date.clone(),
        what,
        new: arguments.version.clone(),
        old: arguments.version.clone(),
        bench: arguments.bench.clone(),
        limit: format!("{} nodes", arguments.nodes),
        options: "Skill Level".to_owned(),
        book: book.unwrap_or_default(),
        seed: seed.to_string(),
        runner: "tamarin-train levels".to_owned(),
        games: outcome.games().to_string(),
        wins: outcome.wins.to_string(),
        draws: outcome.draws.to_string(),
        losses: outcome.losses.to_string(),
        pentanomial: outcome.pairs.to_string(),
        elo: finite(elo.value),
        error: finite(elo.error),
        ..Row::default()
    }
}
