//! The command line of `tamarin variant learn`.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use tamarin_variant_search::learn::{Budget, Settings};

use crate::variant::game_source::GameSource;

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
