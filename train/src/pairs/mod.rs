//! Runs of game pairs between two settings of the search's parameters, kept in a file.

mod experiment;
mod play;

use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tamarin_base::files::read_stream;
use tamarin_eval::network::Network;
use tamarin_search::StartError;

use crate::ENGINE;
use crate::book::BookError;
use crate::data::{FileError, MAX_MEBIBYTES, replace_file};
use crate::datagen::{Adjudication, OpeningChoice, Openings};
use crate::engine::fingerprint;
use crate::evaluator::{EvaluatorArguments, EvaluatorError};
use crate::lock::{Lock, LockError};
use crate::parallel::{spawn_searching, thread_count};
use crate::progress::Progress;

pub(crate) use experiment::{Experiment, Sides, random_of};
pub use play::PairError;

use play::{Conditions, Match, Pace, TimeControl};

/// Between two writings of the state.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// How the games of a run are played.
#[derive(clap::Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct GameSettings {
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

fn pace(text: &str) -> Result<Pace, play::TimeControlError> {
    text.parse::<TimeControl>().map(Pace::from)
}

impl GameSettings {
    /// What limits the thinking about a move.
    pub fn pace(&self) -> Pace {
        let pace = self.tc.unwrap_or(Pace::Nodes(self.nodes));
        pace.with_node_time(self.node_time.unwrap_or(0))
    }
}

/// Where the state of a run is kept, and what to do with it.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct RunArguments {
    /// Play no more games; only print what was learned so far
    #[arg(long)]
    show: bool,

    /// Pairs that are played at the same time [default: one for every core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The book is of no use.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The evaluator cannot be had.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error("the engine does not start")]
    Start(#[from] StartError),
    /// A pair of games cannot be played.
    #[error(transparent)]
    Pair(#[from] PairError),
    #[error("{0} is not there: no run to show")]
    NoRun(PathBuf),
    #[error("{path} is no state of a run")]
    BadState {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    #[error("{0} is of a run with other settings or another table; choose another file")]
    OtherState(PathBuf),
    #[error("{0} is of a run of an engine that searches otherwise; choose another file")]
    OtherSearch(PathBuf),
    #[error("{path} is of a run of {engine}, this is {ENGINE}; choose another file")]
    OtherEngine {
        /// The file.
        path: PathBuf,
        /// The engine that played.
        engine: String,
    },
    /// The state cannot be had for oneself.
    #[error(transparent)]
    Lock(#[from] LockError),
}

/// What is kept of a run.
#[derive(Clone, Serialize, Deserialize)]
struct State<E> {
    /// The engine that plays.
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
pub(crate) fn run<E: Experiment>(
    arguments: &RunArguments,
    games: &GameSettings,
    path: &Path,
    inputs: &[&PathBuf],
    experiment: E,
) -> Result<E, RunError> {
    let mut games = games.clone();
    let network = games.evaluator.load()?;
    let openings = games.openings.load()?;
    let fingerprint = fingerprint(network.as_ref())?;
    let fresh = State { engine: ENGINE.to_owned(), fingerprint, games, next: 0, experiment };
    if arguments.show {
        let state = read(path, &fresh)?.ok_or_else(|| RunError::NoRun(path.to_owned()))?;
        return Ok(state.experiment);
    }
    let _lock = Lock::beside(path, inputs)?;
    let state = read(path, &fresh)?.unwrap_or(fresh);
    let threads = thread_count(arguments.threads);
    Ok(play_all(threads, network.as_ref(), &openings, path, state)?.experiment)
}

/// The state of a run that was begun.
fn read<E: Experiment>(path: &Path, fresh: &State<E>) -> Result<Option<State<E>>, RunError> {
    let text = match read_stream(path, MAX_MEBIBYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FileError::on(path)(error).into()),
    };
    let mut state: State<E> = serde_json::from_slice(&text)
        .map_err(|source| RunError::BadState { path: path.to_owned(), source })?;
    state.games.openings.complete();
    if state.engine != fresh.engine {
        return Err(RunError::OtherEngine { path: path.to_owned(), engine: state.engine });
    }
    if state.games != fresh.games || !state.experiment.began_like(&fresh.experiment) {
        return Err(RunError::OtherState(path.to_owned()));
    }
    if state.fingerprint != fresh.fingerprint {
        return Err(RunError::OtherSearch(path.to_owned()));
    }
    Ok(Some(state))
}

fn write<E: Experiment>(path: &Path, state: &State<E>) -> Result<(), RunError> {
    let text = serde_json::to_vec_pretty(state)
        .map_err(|source| RunError::BadState { path: path.to_owned(), source })?;
    Ok(replace_file(path, &text)?)
}

/// What the threads share.
struct Shared<E> {
    state: State<E>,
    saved: Instant,
    failure: Option<RunError>,
}

fn play_all<E: Experiment>(
    threads: usize,
    network: Option<&Arc<Network>>,
    openings: &Openings,
    path: &Path,
    state: State<E>,
) -> Result<State<E>, RunError> {
    let games = state.games.clone();
    let conditions = Conditions {
        openings,
        rules: games.adjudication,
        pace: games.pace(),
        opening_score: games.opening_score.into(),
        hash: games.hash as usize,
        network,
    };
    let mut matches = Vec::new();
    for _ in 0..threads {
        matches.push(Match::new(conditions)?);
    }
    let progress = Progress::new("pairs", state.experiment.pairs());
    progress.start_at(state.experiment.played());
    let shared = Mutex::new(Shared { state, saved: Instant::now(), failure: None });
    thread::scope(|scope| {
        for players in matches {
            let work = || play_pairs(players, &shared, path, &progress);
            if let Err(error) = spawn_searching(scope, work) {
                shared.lock().failure.get_or_insert(error.into());
            }
        }
    });
    progress.finish();
    let Shared { state, failure, .. } = shared.into_inner();
    write(path, &state)?;
    failure.map_or(Ok(state), Err)
}

/// The life of a thread: plays pairs and learns from them until there are enough.
fn play_pairs<E: Experiment>(
    mut players: Match<'_>,
    shared: &Mutex<Shared<E>>,
    path: &Path,
    progress: &Progress,
) {
    loop {
        let (names, sides, mut random) = {
            let Shared { state: State { next, experiment, .. }, failure, .. } = &mut *shared.lock();
            if *next >= experiment.pairs() || failure.is_some() {
                return;
            }
            let mut random = random_of(experiment.seed(), *next);
            let sides = experiment.sides(*next, &mut random);
            *next += 1;
            (experiment.names(), sides, random)
        };
        let lead = players.pair(&names, &sides, &mut random);
        let mut shared = shared.lock();
        let saved = lead.map_err(RunError::from).and_then(|lead| {
            shared.state.experiment.learn(&sides, lead);
            progress.advance(shared.state.experiment.played(), String::new);
            if shared.saved.elapsed() < SAVE_EVERY {
                return Ok(());
            }
            shared.saved = Instant::now();
            write(path, &shared.state)
        });
        if let Err(error) = saved {
            shared.failure.get_or_insert(error);
        }
    }
}
