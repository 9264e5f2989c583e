//! `export`: positions as text.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use tamarin_movegen::CastlingStyle;

use crate::data::{FilterWithChecks, GamesError, Sink, for_each_game};
use crate::report;

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
            export(arguments, |line| sink.write(line.as_bytes()).map_err(GamesError::from))?;
            Ok(sink.finish()?)
        }
        None => {
            let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
            let exported =
                export(arguments, |line| output.write_all(line.as_bytes()).map_err(Stop::Output));
            match exported.and_then(|()| output.flush().map_err(Stop::Output)) {
                Err(Stop::Games(error)) => Err(error),
                // Nobody has to be told that a reader wants no more: the program's end decides.
                Err(Stop::Output(error)) => {
                    report::failed(error);
                    Ok(())
                }
                Ok(()) => Ok(()),
            }
        }
    }
}

/// Why no more is printed.
enum Stop {
    Games(GamesError),
    Output(io::Error),
}

impl From<GamesError> for Stop {
    fn from(error: GamesError) -> Self {
        Self::Games(error)
    }
}

fn export<E: From<GamesError>>(
    arguments: &Arguments,
    mut write: impl FnMut(&str) -> Result<(), E>,
) -> Result<(), E> {
    for_each_game(&arguments.files, |_, game| {
        let mut written = Ok(());
        let result = game.outcome.for_white();
        game.replay(|position, ply| {
            if written.is_ok() && arguments.filter.keeps(position, ply) {
                let fen = position.fen(CastlingStyle::Standard);
                written = write(&format!("{fen} | {} | {result:.1}\n", ply.score));
            }
        });
        written
    })
}
