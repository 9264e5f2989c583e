//! Playing training games: the engine against itself, on all cores.
//!
//! Source of the recipe (random plies, soft node limit, adjudication by scores): the data
//! generators of Viridithas, Reckless and akimbo.

mod output;

use core::ops::ControlFlow;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use output::Output;
use serde::{Deserialize, Serialize};
use tamarin_movegen::Position;
use tamarin_search::Limits;

use crate::commands::pack_into;
use crate::data::{Game, Ply, Sink};
use crate::engine::{Engine, EvaluatorArguments, fingerprint, node_limits, white_score};
use crate::error::Result;
use crate::openings::{OpeningChoice, Openings};
use crate::parallel::{Tasks, thread_count, work_off};
use crate::play::{Adjudication, Streaks, play, random_of};
use crate::report::{Progress, report};

#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The file to write; if it is there, the work goes on where it was left
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// Games that the file shall hold
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    games: u64,

    /// Pack the file once it holds all games; it is not continued then
    #[arg(long)]
    packed: bool,

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
pub fn run(arguments: &Arguments) -> Result<()> {
    let mut recipe = arguments.recipe.clone();
    let network = recipe.evaluator.load()?;
    let openings = recipe.openings.load()?;
    let recipe = &recipe;
    let path = &arguments.out;
    let output = Output::open(path, recipe, fingerprint(network.as_ref())?)?;
    report!("{}", output.summary());
    let mut engines = Vec::new();
    for _ in 0..thread_count(arguments.threads) {
        let mut engine = Engine::new(recipe.hash as usize, network.as_ref())?;
        // Scores are what the evaluation makes of the position and nothing else.
        engine.options.optimism = false;
        engines.push(engine);
    }
    let progress = Progress::new("games", arguments.games, output.totals().games());
    let games = Games { output, wanted: arguments.games, in_play: 0, progress };
    let (games, played) =
        work_off(games, engines, |engine, &mut number| game(engine, recipe, &openings, number));
    games.progress.finish();
    played?;
    report!("{}", games.output.summary());
    // The file is open there.
    drop(games);
    if arguments.packed {
        pack_into(Sink::replace(path)?, path, core::slice::from_ref(path))?;
    }
    Ok(())
}

/// Games that are played until `output` holds `wanted` of them.
struct Games {
    output: Output,
    wanted: u64,
    in_play: u64,
    progress: Progress,
}

impl Tasks for Games {
    type Task = u64;
    type Done = Game;

    fn next(&mut self) -> Result<Option<u64>> {
        if self.output.totals().games() + self.in_play >= self.wanted {
            return Ok(None);
        }
        self.in_play += 1;
        self.output.next_number().map(Some)
    }

    fn take(&mut self, _: u64, game: Game) -> Result<()> {
        self.in_play -= 1;
        self.output.append(&game)?;
        let (totals, fresh) = (self.output.totals(), self.output.fresh_plies());
        let speed = fresh as f64 / self.progress.elapsed().as_secs_f64().max(1e-3);
        let detail = || format!("{speed:.0} plies/s, {}", totals.results());
        self.progress.advance(totals.games(), detail);
        Ok(())
    }
}

/// Plays the game with this number. It depends on the number and the recipe alone.
fn game(engine: &mut Engine, recipe: &Recipe, openings: &Openings, number: u64) -> Result<Game> {
    let endgames = Openings::endgames();
    let openings = if recipe.begins_with_endgame(number) { &endgames } else { openings };
    // Once, not for each opening that is drawn: endgames are often one-sided, and to empty
    // the tables takes longer than a search of a thousand nodes.
    engine.new_game();
    let mut random = random_of(recipe.seed, number);
    openings.first(number, &mut random, |start| play_from(engine, recipe, start))
}

/// Plays from `start`; nothing if the first score is too far from zero.
fn play_from(engine: &mut Engine, recipe: &Recipe, start: Position) -> Option<Game> {
    let mut plies = Vec::new();
    let mut streaks = Streaks::default();
    let played = play(&start, |position, ply| {
        let answer = engine.search(position, recipe.limits(position.in_check()));
        let mv = answer.mv.expect("invariant: the game is not over, so there is a move");
        let score = white_score(position, &answer);
        if ply == 0 && score.abs() > i32::from(recipe.opening_score) {
            return ControlFlow::Break(None);
        }
        let decided = streaks.next(&recipe.adjudication, score, ply);
        let score = i16::try_from(score).expect("invariant: every score fits an i16");
        plies.push(Ply { mv, score });
        decided.map_or(ControlFlow::Continue(mv), |outcome| ControlFlow::Break(Some(outcome)))
    });
    let outcome = played.map_or_else(|decided| decided, |outcome| Some(outcome.into()))?;
    Some(Game { start, plies, outcome })
}

/// What decides which games are played. Kept beside them: a file is continued with the
/// recipe it was begun with.
#[derive(clap::Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// Seed of the openings; another seed plays other games
    #[arg(long, default_value_t = 1)]
    pub seed: u64,

    /// Nodes after which the search of a move begins no other iteration; a quarter in check, where
    /// positions are not learned from
    #[arg(long, default_value_t = 5_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,

    /// The search of a move ends after this many times --nodes
    #[arg(long, default_value_t = 8, value_name = "FACTOR",
          value_parser = clap::value_parser!(u64).range(1..))]
    pub hard_factor: u64,

    /// Hash table of each game, in MiB
    #[arg(long, default_value_t = 1, value_name = "MiB",
          value_parser = clap::value_parser!(u64).range(1..=65_536))]
    pub hash: u64,

    #[command(flatten)]
    #[serde(flatten)]
    pub openings: OpeningChoice,

    /// Share of games that begin with a few pieces anywhere on the board, in percent
    #[arg(long, default_value_t = 10, value_name = "PERCENT",
          value_parser = clap::value_parser!(u8).range(0..=100))]
    #[serde(default)]
    pub endgames: u8,

    /// Openings are used if the first score is within this number of engine units
    #[arg(long, default_value_t = 220, value_name = "UNITS")]
    pub opening_score: u16,

    #[command(flatten)]
    pub adjudication: Adjudication,

    #[command(flatten)]
    #[serde(flatten)]
    pub evaluator: EvaluatorArguments,
}

impl Recipe {
    /// Returns `true` if the game with this number begins with an endgame, whatever the other
    /// openings are.
    ///
    /// These games come in pairs of an even number and the next one, spread evenly.
    pub fn begins_with_endgame(&self, number: u64) -> bool {
        let before = |pairs: u64| u128::from(pairs) * u128::from(self.endgames) / 100;
        let pair = number / 2;
        before(pair) != before(pair + 1)
    }

    /// The limits of a search, in check or not.
    pub fn limits(&self, in_check: bool) -> Limits {
        let soft = if in_check { self.nodes.div_ceil(4) } else { self.nodes };
        node_limits(soft, soft.saturating_mul(self.hard_factor))
    }
}
