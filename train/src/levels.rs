//! Measures the levels of play (`tamarin-train levels`): each against the one below it, the lowest
//! against a [`Beginner`].
//!
//! Both sides are engines of this process, each with a hash table of its own. A move is limited by
//! nodes, so the games are the same on any computer, however busy.

use core::convert::Infallible;
use core::ops::ControlFlow;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use tamarin_eval::network::Network;
use tamarin_movegen::{Move, Position};
use tamarin_search::{Limits, RATINGS, Strength};

use crate::beginner::Beginner;
use crate::engine::Engine;
use crate::error::{Context, Result, reject};
use crate::matches::MatchResult;
use crate::matches::ledger::{self, Row, file_name};
use crate::openings::{distinct_pairs, shuffled};
use crate::parallel::{thread_count, work_off_numbers};
use crate::play::{both_colors, half_points, play};
use crate::report::report;

/// The level that is full strength.
const FULL: u8 = 20;

/// Hash table of each side, in MiB: the default of the engine.
const HASH: usize = 16;

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

/// Plays the matches, prints each result and appends its row.
pub fn run(arguments: &Arguments) -> Result<()> {
    let &Arguments { from, to, .. } = arguments;
    if from > to {
        reject!(
            "there is no level to measure: --from {from} is above --to {to}; nothing was played"
        );
    }
    let network = Network::embedded();
    if let Some(path) = &arguments.ledger {
        ledger::check(path, [&arguments.book])?;
    }
    for level in from..=to {
        let seed = arguments.seed.wrapping_add(level.into());
        let openings = shuffled(&arguments.book, seed).context("openings")?;
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
        let result = play_match(&conditions, thread_count(arguments.threads))?;
        let below = match level {
            1 => "a beginner".to_owned(),
            _ => format!("level {}", level - 1),
        };
        let what = format!("level {level} of play against {below}");
        report!("{what}: {}", result.line(None));
        if let Some(path) = &arguments.ledger {
            ledger::append(path, row(arguments, what, seed, &result))?;
        }
    }
    Ok(())
}

/// Who plays: the engine, this strong, or the beginner.
pub type Side = Option<Strength>;

/// Who plays as a level; the beginner below the first.
fn side_of(level: u8) -> Side {
    match level {
        0 => None,
        // The numbers of the option `Skill Level` are those of the levels but for the first.
        1 => Some(Strength::Elo(*RATINGS.start())),
        FULL.. => Some(Strength::Full),
        _ => Some(Strength::Skill(level)),
    }
}

fn row(arguments: &Arguments, what: String, seed: u64, result: &MatchResult) -> Row {
    Row {
        date: arguments.date.clone(),
        what,
        new: arguments.version.clone(),
        old: arguments.version.clone(),
        bench: arguments.bench.clone(),
        limit: format!("{} nodes", arguments.nodes),
        options: "Skill Level".to_owned(),
        book: file_name(&arguments.book),
        seed: seed.to_string(),
        runner: "tamarin-train levels".to_owned(),
        ..Row::of(result)
    }
}

pub struct Conditions<'a> {
    /// The higher level and the lower one.
    pub sides: [Side; 2],
    /// A pair of games each, from the first on, and from the first again after the last.
    pub openings: &'a [Position],
    pub pairs: usize,
    pub nodes: u64,
    pub seed: u64,
    pub network: &'a Arc<Network>,
}

/// What chooses the moves of a side.
type Player = Box<dyn FnMut(&Position) -> Option<Move>>;

/// A side in one game; the beginner's moves depend on the seed.
fn player(side: Side, conditions: &Conditions<'_>, seed: u64) -> Result<Player> {
    let Some(strength) = side else {
        let mut beginner = Beginner::new(seed);
        return Ok(Box::new(move |position| beginner.choose(position)));
    };
    let mut engine = Engine::new(HASH, Some(conditions.network))?;
    engine.options.strength = strength;
    let limits = Limits::nodes(conditions.nodes);
    Ok(Box::new(move |position| engine.search(position, limits.clone()).mv))
}

/// Plays the match, `threads` games at a time. The result does not depend on how many.
pub fn play_match(conditions: &Conditions<'_>, threads: usize) -> Result<MatchResult> {
    let mut result = MatchResult::default();
    let pairs = conditions.pairs;
    let workers = (0..threads.min(pairs)).map(drop);
    work_off_numbers(
        pairs,
        workers,
        |(), pair| play_pair(conditions, pair),
        |_, points| {
            result.add_pair(points);
            Ok(())
        },
    )?;
    Ok(result)
}

/// The half points of the higher level in both games of an opening.
fn play_pair(conditions: &Conditions<'_>, pair: usize) -> Result<[usize; 2]> {
    let opening = &conditions.openings[pair % conditions.openings.len()];
    let games = both_colors(|sides| {
        let seed = conditions.seed ^ (2 * pair as u64 + sides.0[0] as u64);
        let [high, low] = conditions.sides.map(|side| player(side, conditions, seed));
        let mut players = [high?, low?];
        let Ok(outcome) = play::<Infallible>(opening, |position, _| {
            let best = players[sides[position.side_to_move()]](position);
            ControlFlow::Continue(
                best.expect("invariant: the game is not over, so there is a move"),
            )
        });
        Ok(outcome.into())
    })?;
    Ok(half_points(games))
}
