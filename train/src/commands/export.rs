//! `export`: positions as text.

use std::io::{self, Write};
use std::path::PathBuf;

use tamarin_movegen::CastlingStyle;

use crate::data::{FileError, FilterWithChecks, GamesError, Sink, for_each_game};

/// What the command line may say.
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
pub fn run(arguments: &Arguments) -> Result<(), GamesError> {
    match &arguments.out {
        Some(path) => {
            let mut sink = Sink::create(path)?;
            export(arguments, |line| sink.write(line.as_bytes()))?;
            Ok(sink.finish()?)
        }
        None => {
            let mut output = io::stdout().lock();
            let failed = |source| FileError { path: PathBuf::from("standard output"), source };
            export(arguments, |line| output.write_all(line.as_bytes()).map_err(failed))?;
            Ok(output.flush().map_err(failed)?)
        }
    }
}

fn export(
    arguments: &Arguments,
    mut write: impl FnMut(&str) -> Result<(), FileError>,
) -> Result<(), GamesError> {
    for_each_game(&arguments.files, |_, game| {
        let mut written = Ok(());
        let result = game.outcome.for_white();
        game.replay(|position, ply| {
            if written.is_ok() && arguments.filter.keeps(position, ply) {
                let fen = position.fen(CastlingStyle::Standard);
                written = write(&format!("{fen} | {} | {result:.1}\n", ply.score));
            }
        });
        Ok::<(), GamesError>(written?)
    })
}
