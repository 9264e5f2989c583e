//! Arguments of commands that search many positions: limits, threads, memory.

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread;

use tamarin_search::{HASH_RANGE, Limits, Millis, THREADS_RANGE, TablebaseProbe};

use crate::analyzer::Effort;
use crate::error::Error;
use tamarin_base::complain;
use tamarin_game::engine_process::EngineSettings;
use tamarin_game::evaluator::EvaluatorArguments;

/// When the search of a position ends; the limit reached first wins.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug)]
pub struct LimitArguments {
    /// Time a position, in milliseconds
    #[arg(short, long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    time: Option<u64>,

    /// Depth of the search of a position, in plies
    #[arg(short, long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=245))]
    depth: Option<u32>,

    /// Nodes a position
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
}

impl LimitArguments {
    /// The limits of a search; `default_time` in milliseconds if none is given.
    pub fn limits(&self, default_time: u64) -> Limits {
        let is_free = self.time.is_none() && self.depth.is_none() && self.nodes.is_none();
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.time.or(is_free.then_some(default_time)).map(Millis::new),
            ..Limits::default()
        }
    }
}

/// The help of `--time` in a command whose searches have this default, in milliseconds.
pub fn time_help(default_time: u64) -> String {
    format!("Time a position, in milliseconds [default: {default_time} without another limit]")
}

/// What a run may take of the computer.
#[derive(clap::Args, Clone, PartialEq, Eq, Debug)]
pub struct ResourceArguments {
    /// Threads, each with a game or position of its own; where there are more threads than those,
    /// several search the same position [default: one a core]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u16).range(*THREADS_RANGE.start() as i64..=*THREADS_RANGE.end() as i64))]
    threads: Option<u16>,

    /// Transposition table of each, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16,
          value_parser = clap::value_parser!(u32).range(*HASH_RANGE.start() as i64..=*HASH_RANGE.end() as i64))]
    hash: u32,

    /// Folders of Syzygy endgame tablebases
    #[arg(long, value_name = "PATH", default_value = "", hide_default_value = true)]
    syzygy: String,

    #[command(flatten)]
    evaluator: EvaluatorArguments,
}

impl ResourceArguments {
    /// How many threads there are to be.
    pub fn threads(&self) -> usize {
        let wanted = self.threads.map(usize::from).and_then(NonZeroUsize::new);
        let found = wanted.or_else(|| thread::available_parallelism().ok());
        found.map_or(1, NonZeroUsize::get)
    }

    /// The network that is read, if one is named.
    pub fn eval_file(&self) -> Option<&Path> {
        self.evaluator.file()
    }

    /// The settings of each search. Reports tablebases that are left out.
    pub fn effort(&self, limits: Limits, lines: usize) -> Result<Effort, Error> {
        let evaluator = self.evaluator.choice()?;
        let (tablebases, left_out) = TablebaseProbe::required(&self.syzygy)?;
        left_out.iter().for_each(|text| complain(text));
        let engine = EngineSettings { hash: self.hash as usize, evaluator, tablebases };
        Ok(Effort { limits, lines, engine })
    }
}
