//! `merge`: many files of games into one.

use std::path::PathBuf;

use crate::data::{Sink, for_each_game};
use crate::error::Result;
use crate::report::report;

#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The file to write; it must not be there yet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Writes all games one after the other, each checked. Holds one game in memory.
pub fn run(arguments: &Arguments) -> Result<()> {
    let mut sink = Sink::create(&arguments.out)?;
    let mut count = 0_u64;
    for_each_game(&arguments.files, |raw, _| {
        count += 1;
        sink.write(raw)
    })?;
    sink.finish()?;
    report!("{count} games in {}", arguments.out.display());
    Ok(())
}
