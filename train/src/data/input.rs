//! The options of all commands that learn from games.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::Filter;
use crate::parallel::thread_count;

/// Which games to learn from, and how to read them.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct Input {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// Threads [default: one for every core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,

    #[command(flatten)]
    pub filter: Filter,
}

impl Input {
    /// The number of threads asked for, or one for every core.
    pub fn threads(&self) -> usize {
        thread_count(self.threads)
    }
}
