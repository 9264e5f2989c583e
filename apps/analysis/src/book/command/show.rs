//! `tamarin book show`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use tamarin_movegen::{CastlingStyle, Position, Setup};

use super::BAD;
use crate::error::Error;
use tamarin_game::book::{Book, key};

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// A FEN, or moves from the start position, such as e4 e5 or e2e4 e7e5
    #[arg(value_name = "FEN|MOVES")]
    position: Vec<String>,

    /// The book [default: the built-in one]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

/// Prints the moves of the book in the position.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let position = position(&arguments.position.join(" ")).map_err(Error::BookPosition)?;
    let book = match &arguments.book {
        None => Book::built_in().clone(),
        Some(path) => {
            Book::read(path).map_err(|source| Error::Book { path: path.clone(), source })?
        }
    };
    let moves = book.moves(&position);
    let sum: u64 = moves.iter().map(|found| u64::from(found.weight)).sum();
    let mut output = io::stdout().lock();
    writeln!(output, "{}", position.fen(CastlingStyle::Standard))?;
    writeln!(output, "key {:016x}", key(&position))?;
    if moves.is_empty() {
        writeln!(output, "no moves")?;
        return Ok(ExitCode::from(BAD));
    }
    writeln!(output, "{:8} {:>6} {:>7} {:>10}", "move", "weight", "share", "learn")?;
    for found in &moves {
        let share = 100.0 * f64::from(found.weight) / (sum.max(1) as f64);
        let san = position.san(found.mv).to_string();
        writeln!(output, "{san:8} {:>6} {share:>6.1}% {:>10}", found.weight, found.learn)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The position of a FEN, which has slashes, or after moves.
fn position(text: &str) -> Result<Position, String> {
    if text.contains('/') {
        let (setup, _) = Setup::parse(text).map_err(|error| error.to_string())?;
        return Position::from_setup(&setup).map_err(|error| error.to_string());
    }
    let mut position = Position::startpos();
    for (index, word) in text.split_whitespace().enumerate() {
        let coordinates = word.parse().ok().and_then(|uci| position.resolve(uci).ok());
        let mv = match coordinates {
            Some(mv) => mv,
            None => position
                .parse_san(word)
                .map_err(|error| format!("move {} {word:?}: {error}", index + 1))?,
        };
        position.make(mv);
    }
    Ok(position)
}
