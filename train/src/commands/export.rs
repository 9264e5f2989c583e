//! `export`: positions as text.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use tamarin_movegen::CastlingStyle;

use crate::data::{FilterWithChecks, Sink, for_each_game};
use crate::error::{Result, TrainError};

#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The text to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    filter: FilterWithChecks,
}

/// Writes a line `FEN | score | result` for each position that is kept: the score in engine
/// units and the result (1.0, 0.5 or 0.0), both from White's point of view.
pub fn run(arguments: &Arguments) -> Result<()> {
    let mut file = arguments.out.as_deref().map(Sink::create).transpose()?;
    let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    for_each_game(&arguments.files, |_, game| {
        let result = game.outcome.for_white();
        game.replay(|position, ply| {
            if !arguments.filter.keeps(position, ply) {
                return Ok(());
            }
            let fen = position.fen(CastlingStyle::Standard);
            let line = format!("{fen} | {} | {result:.1}\n", ply.score);
            match &mut file {
                Some(file) => file.write(line.as_bytes()),
                None => stdout.write_all(line.as_bytes()).map_err(TrainError::Output),
            }
        })
    })?;
    match file {
        Some(file) => file.finish(),
        None => stdout.flush().map_err(TrainError::Output),
    }
}
