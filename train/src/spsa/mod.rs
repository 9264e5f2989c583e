//! `spsa`: tuning the parameters of the search by games.

mod play;
mod table;
mod tuner;

use std::io::ErrorKind;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use tamarin_eval::network::Network;
use tamarin_files::{read_stream, read_stream_text};
use tamarin_search::{StartError, parameters};

use crate::ENGINE;
use crate::data::{FileError, MAX_MEBIBYTES, replace_file};
use crate::datagen::{Adjudication, BookError, OpeningChoice, Openings};
use crate::evaluator::{EvaluatorArguments, EvaluatorError};
use crate::lock::{Lock, LockError};
use crate::numbers::positive_f64;
use crate::parallel::{spawn_searching, thread_count};
use crate::progress::Progress;

pub use play::PairError;

use play::{Conditions, Match, Pace, TimeControl};
use table::TableError;
use tuner::{Parameter, Tuner};

/// Between two writings of the state.
const SAVE_EVERY: Duration = Duration::from_secs(5);

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// The file with the state of the run; if it is there, the run goes on
    #[arg(long, value_name = "FILE", required_unless_present = "openbench")]
    out: Option<PathBuf>,

    /// Only print the lines for the SPSA form of OpenBench
    #[arg(long)]
    openbench: bool,

    /// Play no more games; only print what was learned so far
    #[arg(long)]
    show: bool,

    /// Pairs that are played at the same time [default: one for every core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    /// The source of the table of parameters, for the patch
    #[arg(long, value_name = "FILE", default_value = "search/src/params/table.rs")]
    table: PathBuf,

    /// The id of this run in the list of results; becomes the origin of the values
    #[arg(long, value_name = "ID")]
    run: Option<String>,

    #[command(flatten)]
    settings: Settings,
}

/// What decides how a run goes.
#[derive(clap::Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Settings {
    /// Pairs of games to play
    #[arg(long, default_value_t = 10_000, value_name = "N",
          value_parser = clap::value_parser!(u64).range(1..))]
    pairs: u64,

    /// Nodes a move
    #[arg(long, default_value_t = 10_000, value_name = "N", conflicts_with = "tc",
          value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Seconds for a game and for each move, as 2+0.02, instead of nodes
    #[arg(long, value_name = "TC", value_parser = pace)]
    tc: Option<Pace>,

    /// Tune only parameters whose names contain one of these
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,

    /// Leave out parameters whose names contain one of these
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    skip: Vec<String>,

    /// Learning rate at the end of the run, in squared steps
    #[arg(long, default_value_t = 0.002, value_parser = positive_f64)]
    rate: f64,

    /// Seed of openings and perturbations
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Hash table of each side, in MiB
    #[arg(long, default_value_t = 8, value_name = "MiB",
          value_parser = clap::value_parser!(u64).range(1..=65_536))]
    hash: u64,

    /// Openings are used if the first score is within so many engine units
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

impl Settings {
    fn pace(&self) -> Pace {
        self.tc.unwrap_or(Pace::Nodes(self.nodes))
    }

    /// The parameters to tune, as they are in this build.
    fn parameters(&self) -> Vec<Parameter> {
        let named = |names: &[String], name: &str| names.iter().any(|part| name.contains(part));
        let chosen = |name: &str| {
            (self.only.is_empty() || named(&self.only, name)) && !named(&self.skip, name)
        };
        parameters().iter().filter(|p| chosen(p.name)).map(Parameter::from).collect()
    }

    fn tuner(&self) -> Tuner {
        let (parameters, pairs) = (self.parameters(), self.pairs);
        Tuner { parameters, pairs, played: 0, rate: self.rate, seed: self.seed }
    }
}

/// Why a run ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpsaError {
    /// A file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The book is of no use.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The evaluator cannot be had.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// The engine does not start.
    #[error("the engine does not start")]
    Start(#[from] StartError),
    /// A pair of games cannot be played.
    #[error(transparent)]
    Pair(#[from] PairError),
    /// No parameter has such a name.
    #[error("no parameter is to be tuned")]
    Nothing,
    /// The state cannot be understood.
    #[error("{path} is no state of a run")]
    BadState {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The state is of another run.
    #[error("{0} is of a run with other settings or another table; choose another file")]
    OtherState(PathBuf),
    /// The state is of a run of another engine.
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
    /// The patch cannot be made.
    #[error("{path}")]
    Table {
        /// The source of the table.
        path: PathBuf,
        /// What is wrong with it.
        source: TableMismatch,
    },
}

/// The source of the table is not that of this build.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct TableMismatch(TableError);

/// What is kept of a run.
#[derive(Clone, Serialize, Deserialize)]
struct State {
    /// The engine that plays.
    engine: String,
    settings: Settings,
    /// The next pair to play. Pairs that were being played when the state was written are left
    /// out of the run.
    next: u64,
    tuner: Tuner,
}

/// Plays the pairs that are left, then prints what was learned: values, a patch of the table,
/// and the form for OpenBench.
///
/// # Errors
/// Why the run ended early. What was learned is in its file, up to the last seconds.
pub fn run(arguments: &Arguments) -> Result<(), SpsaError> {
    let mut settings = arguments.settings.clone();
    let network = settings.evaluator.load()?;
    let fresh = State {
        engine: ENGINE.to_owned(),
        next: 0,
        tuner: settings.tuner(),
        settings: settings.clone(),
    };
    if fresh.tuner.parameters.is_empty() {
        return Err(SpsaError::Nothing);
    }
    let Some(path) = arguments.out.as_deref().filter(|_| !arguments.openbench) else {
        print!("{}", table::openbench(&fresh.tuner.parameters, fresh.tuner.rate));
        return Ok(());
    };
    let State { tuner, .. } = if arguments.show {
        read(path, &fresh)?.unwrap_or(fresh)
    } else {
        let _lock = Lock::beside(path, [&arguments.table])?;
        let state = read(path, &fresh)?.unwrap_or(fresh);
        play_all(thread_count(arguments.threads), network.as_ref(), path, state)?
    };
    println!("{} of {} pairs at {}\n", tuner.played, tuner.pairs, settings.pace());
    println!("{}", table::summary(&tuner.parameters));
    let source = read_stream_text(&arguments.table, MAX_MEBIBYTES)
        .map_err(FileError::on(&arguments.table))?;
    let run = arguments.run.as_deref();
    let patch = table::patch(&arguments.table, &source, &tuner.parameters, run);
    print!(
        "{}",
        patch.map_err(|error| SpsaError::Table {
            path: arguments.table.clone(),
            source: TableMismatch(error),
        })?
    );
    println!("\n{}", table::openbench(&tuner.parameters, tuner.rate));
    Ok(())
}

/// The state of a run that was begun.
fn read(path: &Path, fresh: &State) -> Result<Option<State>, SpsaError> {
    let text = match read_stream(path, MAX_MEBIBYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(FileError::on(path)(error).into()),
    };
    let state: State = serde_json::from_slice(&text)
        .map_err(|source| SpsaError::BadState { path: path.to_owned(), source })?;
    let begins = |tuner: &Tuner| -> Vec<_> {
        let begin = |p: &Parameter| (p.name.clone(), p.start, p.min, p.max, p.step.to_bits());
        tuner.parameters.iter().map(begin).collect()
    };
    if state.engine != fresh.engine {
        return Err(SpsaError::OtherEngine { path: path.to_owned(), engine: state.engine });
    }
    if state.settings != fresh.settings || begins(&state.tuner) != begins(&fresh.tuner) {
        return Err(SpsaError::OtherState(path.to_owned()));
    }
    Ok(Some(state))
}

fn write(path: &Path, state: &State) -> Result<(), SpsaError> {
    let text = serde_json::to_vec_pretty(state)
        .map_err(|source| SpsaError::BadState { path: path.to_owned(), source })?;
    Ok(replace_file(path, &text)?)
}

/// What the threads share.
struct Shared {
    state: State,
    saved: Instant,
    failure: Option<SpsaError>,
}

fn play_all(
    threads: usize,
    network: Option<&Arc<Network>>,
    path: &Path,
    state: State,
) -> Result<State, SpsaError> {
    let settings = state.settings.clone();
    let openings = Openings::new(&settings.openings)?;
    let conditions = Conditions {
        openings: &openings,
        rules: settings.adjudication,
        pace: settings.pace(),
        opening_score: settings.opening_score.into(),
        hash: settings.hash as usize,
        network,
    };
    let mut matches = Vec::new();
    for _ in 0..threads {
        matches.push(Match::new(conditions)?);
    }
    let progress = Progress::new("pairs", state.tuner.pairs);
    progress.start_at(state.tuner.played);
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
fn play_pairs(mut players: Match<'_>, shared: &Mutex<Shared>, path: &Path, progress: &Progress) {
    loop {
        let (parameters, tried, mut random) = {
            let Shared { state: State { next, tuner, .. }, failure, .. } = &mut *shared.lock();
            if *next >= tuner.pairs || failure.is_some() {
                return;
            }
            let mut random = tuner.random(*next);
            let tried = tuner.perturb(*next, &mut random);
            *next += 1;
            (tuner.parameters.clone(), tried, random)
        };
        let lead = players.pair(&parameters, &tried, &mut random);
        let mut shared = shared.lock();
        let saved = lead.map_err(SpsaError::from).and_then(|lead| {
            shared.state.tuner.learn(&tried, lead);
            progress.advance(shared.state.tuner.played, String::new);
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
