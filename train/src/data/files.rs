//! Work on files of games.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use tamarin_base::files::{NewFile, Target, remove_unfinished_on_signal};

use super::{Filter, Game, GameReader};
use crate::error::{Context, Result};
use crate::parallel::thread_count;
use crate::progress::Progress;

/// Larger networks, states and books are rejected before they fill the memory.
pub const MAX_MEBIBYTES: u64 = 1024;

/// The options of all commands that learn from games.
#[derive(clap::Args, Clone, Debug)]
pub struct Input {
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

/// Shows all games of all files in turn, with the bytes they were read from, and reports how
/// far it is.
pub fn for_each_game(
    paths: &[PathBuf],
    mut visit: impl FnMut(&[u8], Game) -> Result<()>,
) -> Result<()> {
    const MIB: u64 = 1 << 20;
    let total = total_size(paths)?;
    let progress = Progress::new("MiB", total / MIB);
    let (mut before, mut games) = (0, 0_u64);
    for path in paths {
        let mut reader = GameReader::open(path)?;
        while let Some(raw) = reader.next_raw()? {
            let game = reader.decode(&raw)?;
            visit(&raw, game)?;
            games += 1;
            if games.is_multiple_of(256) {
                progress.advance((before + reader.offset()) / MIB, || format!("{games} games"));
            }
        }
        before += reader.offset();
    }
    progress.finish();
    Ok(())
}

pub fn total_size(paths: &[PathBuf]) -> Result<u64> {
    let size = |path: &PathBuf| Ok(fs::metadata(path).context(path.display())?.len());
    paths.iter().map(size).sum()
}

/// A new file to write to; it is there once it is complete. Of one that Ctrl-C cuts short nothing
/// stays.
#[derive(Debug)]
pub struct Sink {
    path: PathBuf,
    output: BufWriter<NewFile>,
}

impl Sink {
    pub fn create(path: &Path) -> Result<Self> {
        // Before there is a file that could be left.
        remove_unfinished_on_signal();
        let created = Target::of_user(path).and_then(|target| match target.old() {
            Some(_) => Err(io::ErrorKind::AlreadyExists.into()),
            None => target.create(),
        });
        let file = created.context(path.display())?;
        Ok(Self { path: path.to_owned(), output: BufWriter::with_capacity(1 << 20, file) })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.output.write_all(bytes).context(self.path.display())
    }

    /// Hands everything to the system, and gives the file its name.
    ///
    /// # Errors
    /// If the system refuses. Then there is no file.
    pub fn finish(self) -> Result<()> {
        let file = self.output.into_inner().map_err(io::IntoInnerError::into_error);
        file.and_then(NewFile::finish).map(drop).context(self.path.display())
    }
}
