//! Runs of game pairs between two settings of the search's parameters, kept in a file.

use core::fmt;
use core::ops::ControlFlow;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tamarin_base::files::read_stream;
use tamarin_eval::network::Network;
use tamarin_game::clock::TimeControl;
use tamarin_movegen::{PerColor, Position};
use tamarin_search::{Clock, Limits, Millis};

use crate::ENGINE;
use crate::data::GameResult;
use crate::engine::{Engine, EvaluatorArguments, fingerprint, node_limits, white_score};
use crate::error::{Result, reject};
use crate::matches::time_control;
use crate::openings::{OpeningChoice, Openings};
use crate::parallel::{Tasks, thread_count, work_off};
use crate::play::{Adjudication, Streaks, both_colors, half_points, play, random_of};
use crate::report::Progress;
use crate::saved::{Lock, agree, read_state, replace_file, to_text};

/// Between two writings of the state.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// Nodes spent on finding out whether an opening is level, of an iteration and of a search.
const OPENING_NODES: [u64; 2] = [2_000, 16_000];

/// How the games of a run are played.
#[derive(clap::Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameSettings {
    /// Nodes a move
    #[arg(long, default_value_t = 10_000, value_name = "N", conflicts_with = "tc",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Seconds for a game and for each move, as 2+0.02, instead of nodes
    #[arg(long, value_name = "TC", value_parser = pace)]
    tc: Option<Pace>,

    /// With --tc: the clock counts nodes, N a millisecond, and the games are the same on a
    /// busy machine
    #[arg(long, value_name = "N", requires = "tc",
          value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    node_time: Option<u64>,

    /// Hash table of each side, in MiB
    #[arg(long, default_value_t = 8, value_name = "MiB",
          value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,

    /// Openings are used if the first score is within this number of engine units
    #[arg(long, default_value_t = 150, value_name = "UNITS")]
    opening_score: u16,

    #[command(flatten)]
    openings: OpeningChoice,

    #[command(flatten)]
    adjudication: Adjudication,

    #[command(flatten)]
    #[serde(flatten)]
    evaluator: EvaluatorArguments,
}

/// What limits the thinking about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Pace {
    Nodes(u64),
    /// A clock for the game, in milliseconds. If `node_time` is not zero it counts nodes,
    /// `node_time` a millisecond.
    Clock {
        base: u64,
        increment: u64,
        #[serde(default)]
        node_time: u64,
    },
}

fn pace(text: &str) -> Result<Pace, String> {
    match time_control(text)? {
        TimeControl { moves: None, base, increment, .. } => {
            let [base, increment] = [base, increment].map(|time| time.as_millis() as u64);
            Ok(Pace::Clock { base, increment, node_time: 0 })
        }
        _ => Err("a game has one clock for all of its moves here".to_owned()),
    }
}

impl fmt::Display for Pace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            Self::Clock { base, increment, node_time } => {
                write!(f, "{}+{} s", base as f64 / 1000.0, increment as f64 / 1000.0)?;
                if node_time == 0 { Ok(()) } else { write!(f, ", {node_time} nodes a millisecond") }
            }
        }
    }
}

impl GameSettings {
    /// What limits the thinking about a move.
    pub fn pace(&self) -> Pace {
        match self.tc {
            Some(Pace::Clock { base, increment, .. }) => {
                Pace::Clock { base, increment, node_time: self.node_time.unwrap_or(0) }
            }
            _ => Pace::Nodes(self.nodes),
        }
    }
}

/// Where the state of a run is kept, and what to do with it.
#[derive(clap::Args, Clone, Debug)]
pub struct RunArguments {
    /// Play no more games; only print what was learned so far
    #[arg(long)]
    show: bool,

    /// Pairs that are played at the same time [default: one for every core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// The two sides of a pair, which differ in some parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Sides {
    /// The number of the pair, from 0.
    pub pair: u64,
    /// What is tried, each up or down: `1.0` or `-1.0`.
    pub directions: Vec<f64>,
    /// The values of the side that goes in these directions, in the order of the parameters, and
    /// those of the other side.
    pub plus: Vec<i32>,
    pub minus: Vec<i32>,
}

/// What decides how the sides of each pair differ, and learns from the results.
pub trait Experiment: Clone + Send + Serialize + DeserializeOwned {
    /// The parameters in which the sides may differ.
    fn names(&self) -> Vec<String>;
    fn pairs(&self) -> u64;
    fn played(&self) -> u64;
    /// Decides all random numbers.
    fn seed(&self) -> u64;
    fn sides(&self, pair: u64, random: &mut Xoshiro256PlusPlus) -> Sides;
    /// Learns from a pair: `lead` is what the plus side scored more than the minus side, from
    /// -2 to 2 points.
    fn learn(&mut self, sides: &Sides, lead: f64);
    /// Whether the other one began like this one.
    fn began_like(&self, other: &Self) -> bool;
}

#[derive(Clone, Serialize, Deserialize)]
struct State<E> {
    engine: String,
    /// Of that engine with the evaluator of the games.
    #[serde(default)]
    fingerprint: u64,
    games: GameSettings,
    /// The next pair to play. Pairs that were being played when the state was written are left
    /// out of the run.
    next: u64,
    experiment: E,
}

/// Plays the pairs that are left of the run that `path` holds, or of a new one if there is no such
/// file; returns what the experiment has learned. `inputs` are files that are read, of which `path`
/// must be none.
///
/// # Errors
/// Why the run ended early. What was learned is in its file, up to the last seconds.
pub fn run<E: Experiment>(
    arguments: &RunArguments,
    games: &GameSettings,
    path: &Path,
    inputs: &[&PathBuf],
    experiment: E,
) -> Result<E> {
    let mut games = games.clone();
    let network = games.evaluator.load()?;
    let openings = games.openings.load()?;
    let fingerprint = fingerprint(network.as_ref())?;
    let fresh = State { engine: ENGINE.to_owned(), fingerprint, games, next: 0, experiment };
    if arguments.show {
        let Some(state) = read(path, &fresh)? else {
            reject!("{} is not there: no run to show", path.display())
        };
        return Ok(state.experiment);
    }
    let _lock = Lock::beside(path, inputs)?;
    let state = read(path, &fresh)?.unwrap_or(fresh);
    let threads = thread_count(arguments.threads);
    let sides = (0..threads).map(|_| engines(&state.games, network.as_ref()));
    let sides = sides.collect::<Result<Vec<_>>>()?;
    let settings = state.games.clone();
    let progress = Progress::new("pairs", state.experiment.pairs(), state.experiment.played());
    let run = Run { state, path, saved: Instant::now(), progress };
    let (run, played) =
        work_off(run, sides, |engines, pair| play_pair(engines, &settings, &openings, pair));
    run.progress.finish();
    run.save()?;
    played.map(|()| run.state.experiment)
}

type Engines = [Engine; 2];

/// Engines that play as in a match, whose clock loses nothing on the way to them.
fn engines(games: &GameSettings, network: Option<&Arc<Network>>) -> Result<Engines> {
    let engine = || -> Result<Engine> {
        let mut engine = Engine::new(games.hash as usize, network)?;
        engine.options.node_time = node_time(games.pace());
        engine.options.move_overhead = Millis::new(2);
        Ok(engine)
    };
    Ok([engine()?, engine()?])
}

/// The nodes that count as a millisecond; zero if real time counts or none.
fn node_time(pace: Pace) -> u64 {
    match pace {
        Pace::Clock { node_time, .. } => node_time,
        Pace::Nodes(_) => 0,
    }
}

/// The state of a run that was begun.
fn read<E: Experiment>(path: &Path, fresh: &State<E>) -> Result<Option<State<E>>> {
    let state: Option<State<E>> = read_state(path, "state of a run", read_stream)?;
    let Some(mut state) = state else { return Ok(None) };
    state.games.openings.complete();
    agree(path, "engine", &state.engine, &fresh.engine)?;
    agree(path, "settings", &state.games, &fresh.games)?;
    if !state.experiment.began_like(&fresh.experiment) {
        reject!("{}: its experiment or table is another one; choose another file", path.display());
    }
    agree(path, "engine's node count at depth 9", &state.fingerprint, &fresh.fingerprint)?;
    Ok(Some(state))
}

struct Run<'a, E> {
    state: State<E>,
    path: &'a Path,
    saved: Instant,
    progress: Progress,
}

impl<E: Experiment> Run<'_, E> {
    fn save(&self) -> Result<()> {
        replace_file(self.path, &to_text(self.path, &self.state)?)
    }
}

struct Pair {
    names: Vec<String>,
    sides: Sides,
    random: Xoshiro256PlusPlus,
}

impl<E: Experiment> Tasks for Run<'_, E> {
    type Task = Pair;
    /// What the plus side scored more than the minus side, from -2 to 2 points.
    type Done = f64;

    fn next(&mut self) -> Result<Option<Pair>> {
        let State { next, experiment, .. } = &mut self.state;
        if *next >= experiment.pairs() {
            return Ok(None);
        }
        let mut random = random_of(experiment.seed(), *next);
        let sides = experiment.sides(*next, &mut random);
        *next += 1;
        Ok(Some(Pair { names: experiment.names(), sides, random }))
    }

    fn take(&mut self, pair: Pair, lead: f64) -> Result<()> {
        self.state.experiment.learn(&pair.sides, lead);
        self.progress.advance(self.state.experiment.played(), String::new);
        if self.saved.elapsed() < SAVE_EVERY {
            return Ok(());
        }
        self.saved = Instant::now();
        self.save()
    }
}

/// Plays an opening with either side as White.
fn play_pair(
    engines: &mut Engines,
    games: &GameSettings,
    openings: &Openings,
    Pair { names, sides, random }: &mut Pair,
) -> Result<f64> {
    for (engine, values) in engines.iter_mut().zip([&sides.plus, &sides.minus]) {
        for (name, &value) in names.iter().zip(values) {
            engine.set_parameter(name, value)?;
        }
    }
    let opening = openings.first(sides.pair, random, |start| {
        engines[0].new_game();
        let [soft, hard] = OPENING_NODES;
        let score = engines[0].search(&start, node_limits(soft, hard)).score.units();
        (score.abs() <= games.opening_score.into()).then_some(start)
    })?;
    let outcomes = both_colors(|sides| Ok(game(engines, games, &opening, sides)))?;
    Ok(half_points(outcomes).iter().sum::<usize>() as f64 - 2.0)
}

/// Plays a game; `sides` says which engine has which color.
fn game(
    engines: &mut Engines,
    games: &GameSettings,
    start: &Position,
    sides: PerColor<usize>,
) -> GameResult {
    engines.iter_mut().for_each(Engine::new_game);
    let mut streaks = Streaks::default();
    let pace = games.pace();
    let mut clocks = clocks(pace);
    let played = play(start, |position, ply| {
        let us = position.side_to_move();
        let begin = Instant::now();
        let limits = match pace {
            Pace::Nodes(nodes) => Limits::nodes(nodes),
            Pace::Clock { .. } => Limits { clocks, ..Limits::default() },
        };
        let answer = engines[sides[us]].search(position, limits);
        if let Some(clock) = &mut clocks[us] {
            let used = match node_time(pace) {
                0 => Millis::new(begin.elapsed().as_millis() as u64),
                rate => Millis::new(answer.nodes / rate),
            };
            if used > clock.left {
                return ControlFlow::Break(GameResult::won_by(!us));
            }
            clock.left = clock.left.minus(used).plus(clock.increment);
        }
        match streaks.next(&games.adjudication, white_score(position, &answer), ply) {
            Some(outcome) => ControlFlow::Break(outcome),
            None => ControlFlow::Continue(
                answer.mv.expect("invariant: the game is not over, so there is a move"),
            ),
        }
    });
    played.map_or_else(|decided| decided, GameResult::from)
}

fn clocks(pace: Pace) -> PerColor<Option<Clock>> {
    PerColor(match pace {
        Pace::Nodes(_) => [None; 2],
        Pace::Clock { base, increment, .. } => {
            let (left, increment) = (Millis::new(base), Millis::new(increment));
            [Some(Clock { left, increment, moves_to_go: None }); 2]
        }
    })
}
