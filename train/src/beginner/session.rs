//! The beginner as a UCI engine.

use std::io::{self, BufRead, Write};

use tamarin_movegen::{CastlingNotation, FenError, Position, UciMove, UciMoveError};
use tamarin_uci::{Base, BestMoveLine, Command, PositionText, Reply, parse};

use super::Beginner;

/// The arguments of `tamarin-train beginner`.
#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Of its choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Why the beginner ended.
#[derive(Debug, thiserror::Error)]
pub enum BeginnerError {
    #[error("beginner: input and output")]
    Io(#[from] io::Error),
}

/// Why a `position` has no effect.
#[derive(Debug, thiserror::Error)]
enum PositionError {
    #[error("no such position")]
    Fen(#[from] FenError),
    #[error("no such move")]
    Move(#[from] UciMoveError),
}

/// Speaks UCI on standard input and output until `quit` or the end of the input.
pub fn run(arguments: &Arguments) -> Result<(), BeginnerError> {
    Ok(serve(arguments.seed, io::stdin().lock(), io::stdout().lock())?)
}

fn serve(seed: u64, input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut player = Beginner::new(seed);
    let mut position = Position::startpos();
    for line in input.lines() {
        let line = line?;
        let command = match parse(&line) {
            Ok(parsed) => parsed.command,
            Err(error) => {
                writeln!(output, "info string error: {error}")?;
                continue;
            }
        };
        match command {
            Command::Uci => {
                writeln!(output, "{}", Reply::IdName("Beginner"))?;
                writeln!(output, "{}", Reply::IdAuthor("the Tamarin developers"))?;
                writeln!(output, "{}", Reply::UciOk)?;
            }
            Command::IsReady => writeln!(output, "{}", Reply::ReadyOk)?,
            Command::Position(text) => match set_up(&text) {
                Ok(wanted) => position = wanted,
                Err(error) => {
                    writeln!(output, "info string error: {error}; the old position stays")?;
                }
            },
            Command::Go(_) => {
                let best = player.choose(&position).map_or(BestMoveLine::None, |mv| {
                    let best = position.uci(mv, CastlingNotation::Classic);
                    BestMoveLine::Move { mv: best, ponder: None }
                });
                writeln!(output, "{}", Reply::BestMove(best))?;
            }
            Command::Quit => return Ok(()),
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}

fn set_up(text: &PositionText) -> Result<Position, PositionError> {
    let mut position = match &text.base {
        Base::Start => Position::startpos(),
        Base::Fen(fen) => Position::from_fen(fen)?,
    };
    for word in text.moves.iter() {
        let mv = word.parse::<UciMove>().and_then(|mv| position.resolve(mv))?;
        position.make(mv);
    }
    Ok(position)
}

#[cfg(test)]
mod tests {
    use super::serve;

    fn said(input: &str) -> String {
        let mut output = Vec::new();
        serve(1, input.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn it_speaks_uci() {
        let start = said(
            "uci\nisready\nucinewgame\nposition startpos moves f2f3 e7e5 g2g4\ngo nodes 5\nquit\ngo",
        );
        assert!(start.starts_with("id name Beginner\n") && start.contains("\nuciok\nreadyok\n"));
        assert!(start.ends_with("\nbestmove d8h4\n"), "{start}");
    }

    #[test]
    fn errors_keep_the_position() {
        let lines = said(
            "position startpos moves f2f3 e7e5 g2g4\nposition fen x\nposition startpos moves e2e5\nnonsense\ngo",
        );
        assert_eq!(lines.matches("info string error: ").count(), 3, "{lines}");
        assert!(lines.ends_with("\nbestmove d8h4\n"), "{lines}");
    }
}
