//! `tamarin variant learn`: an evaluator of a game from games that the program plays with itself.

mod log;
mod progress;

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use log::{Header, Log};
use progress::Progress;
use tamarin_base::process::shutdown::stop_on_signal;
use tamarin_variant::{Game, Position};
use tamarin_variant_search::evaluate::learned::Learned;
use tamarin_variant_search::evaluation_file;
use tamarin_variant_search::learn::{Budget, Known, Settings, Stopped, learn};

use super::source::{Failure, GameSource, target, write};

pub(super) fn run(arguments: &LearnArguments) -> Result<String, Failure> {
    let source = &arguments.source;
    let game = source.load()?.game;
    if Position::start(&game).outcome().is_some() {
        return Err(Failure::Over);
    }
    let out = match (&arguments.out, source.file()) {
        (Some(out), _) => out.clone(),
        (None, Some(file)) => evaluation_file(file, source.variant.as_deref()),
        (None, None) => PathBuf::from(format!("{}.eval", source.game)),
    };
    let target = target(&out, source.file())?;
    let settings = arguments.settings();
    let path = games_of(&out);
    let header = Header { game: &game, settings: &settings };
    // Beside a device or a pipe no games are kept.
    let keeps = std::fs::metadata(&out).map_or(true, |found| found.is_file());
    let (log, known) = match keeps {
        true => Log::open(&path, &header).map(|(log, known)| (Some(log), known))?,
        false => (None, Known::default()),
    };
    // Ctrl-C and the like end the run between two moves.
    let stop = stop_on_signal();
    let progress = Progress::new(log, &settings, &known, &stop, arguments.quiet);
    let learned = learn(&game, &settings, known, &stop, &progress);
    let (games, failed) = progress.finish();
    if let Some(error) = failed {
        return Err(error);
    }
    let learned = match learned {
        Ok(learned) => learned,
        Err(Stopped::Told) => {
            return Err(Failure::Interrupted { kept: keeps.then_some((games, path)) });
        }
        Err(error) => return Err(Failure::Learning(error)),
    };
    write(target, &out, &learned.text())?;
    // The games have done their work. If they cannot be removed they do no harm.
    if keeps {
        let _ = std::fs::remove_file(&path);
    }
    Ok(summary(&game, &learned, &out))
}

/// Where the games of a run are kept until it is done.
fn games_of(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(".games");
    out.with_file_name(name)
}

/// What was learned: the values of the pieces, and where the rest is.
fn summary(game: &Game, learned: &Learned, out: &Path) -> String {
    let values = (0..game.piece_count() as u8).filter(|&kind| !game.is_royal(kind)).map(|kind| {
        let value = learned.value(kind);
        format!("{} {}/{}", game.piece_name(kind), value.middlegame, value.endgame)
    });
    let values: Vec<String> = values.collect();
    format!(
        "{}: {}\nvalues of the pieces in centipawns, with a full board and with an empty one: {}\n",
        out.display(),
        learned.recipe(),
        values.join(", ")
    )
}

/// What `learn` takes.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct LearnArguments {
    #[command(flatten)]
    pub(super) source: GameSource,
    /// Time to learn
    #[arg(long, default_value_t = 10.0, value_parser = minutes, conflicts_with_all = ["games", "total_nodes"])]
    minutes: f64,
    /// Learn from N games instead; the same number gives the same file
    #[arg(long, value_parser = clap::value_parser!(u32).range(10..=10_000_000), conflicts_with = "total_nodes")]
    games: Option<u32>,
    /// Learn from games of N nodes together instead; the same number gives the same file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(10_000..))]
    total_nodes: Option<u64>,
    /// Nodes of each move
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u64).range(50..=1_000_000))]
    nodes: u64,
    /// Threads that play [default: one for every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Seed of the random moves that games begin with
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The file to be written [default: beside the rules, as my.eval beside my.var; for built-in
    /// games NAME.eval in this folder]
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Show no progress
    #[arg(long)]
    pub(super) quiet: bool,
}

/// Minutes, from a second to a week.
fn minutes(text: &str) -> Result<f64, String> {
    let minutes =
        text.parse::<f64>().ok().filter(|minutes| (1.0 / 60.0..=10_080.0).contains(minutes));
    minutes.ok_or_else(|| "it has to be a number of minutes from 0.02 to 10080".to_owned())
}

impl LearnArguments {
    /// How to learn.
    pub(super) fn settings(&self) -> Settings {
        let time = Budget::Time(Duration::from_secs_f64(self.minutes * 60.0));
        let nodes = self.total_nodes.map_or(time, Budget::Nodes);
        let cores = thread::available_parallelism().map_or(1, usize::from);
        Settings {
            seed: self.seed,
            nodes: self.nodes,
            threads: self.threads.map_or(cores, usize::from),
            budget: self.games.map_or(nodes, Budget::Games),
        }
    }
}
