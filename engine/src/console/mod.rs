//! Commands for people and test frameworks, beside the protocol.

mod bench;
mod board;
mod genfens;

use tamarin_game::evaluator::EvaluatorChoice;
use tamarin_game::played::Played;
use tamarin_movegen::{CastlingNotation, Position};
use tamarin_uci::Console;
use tamarin_variant_search::AnyEvaluator;

pub use self::board::diagram;

use crate::about;
use crate::output::Output;

/// A larger file of positions for the benchmark is refused before it fills the memory.
pub const MAX_MEBIBYTES: u64 = 64;

/// The game and the output.
pub struct Context<'a> {
    /// The current game; `None` after a rejected position.
    pub game: Option<&'a Played>,
    pub evaluator: &'a EvaluatorChoice,
    /// What evaluates positions of the current variant; `None` in standard chess.
    pub variant_evaluator: Option<AnyEvaluator>,
    /// How castling is printed.
    pub notation: CastlingNotation,
    /// Where the answer goes.
    pub output: &'a Output,
}

impl Context<'_> {
    /// Prints one line or several.
    pub fn print(&self, text: &str) {
        self.output.line(text);
    }

    /// The current game.
    pub fn game(&self) -> Result<&Played, NoPosition> {
        self.game.ok_or(NoPosition::Rejected)
    }

    /// The position on the board, for a command of standard chess.
    pub fn chess(&self, command: &'static str) -> Result<&Position, NoPosition> {
        self.game()?.as_chess().ok_or(NoPosition::Variant(command))
    }
}

#[derive(Debug, thiserror::Error)]
pub enum NoPosition {
    #[error("there is no position; send a valid position command")]
    Rejected,
    #[error("{0} is for standard chess only")]
    Variant(&'static str),
}

/// Why a console command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    /// `d` or `eval`.
    #[error(transparent)]
    NoPosition(#[from] NoPosition),
    /// `perft`.
    #[error(transparent)]
    Perft(#[from] board::PerftError),
    #[error("bench: {0}")]
    Bench(#[from] bench::BenchError),
    #[error("genfens: {0}")]
    GenFens(#[from] genfens::GenFensError),
    /// `help` with a word that names no command.
    #[error("{0:?} is no command; help lists them")]
    Help(String),
}

/// Carries a command out and prints its answer.
///
/// # Errors
/// If it could not be carried out; some of its answer may have been printed.
pub fn run(console: Console, context: &Context<'_>) -> Result<(), ConsoleError> {
    match console {
        Console::Board => board::show(context)?,
        Console::Eval(format) => board::evaluate(format, context)?,
        Console::Bench(request) => bench::run(&request, context)?,
        Console::Perft(depth) => board::perft(depth, context)?,
        Console::GenFens(request) => genfens::run(&request, context)?,
        Console::Help(None) => context.print(&about::help()),
        Console::Help(Some(name)) => match about::help_with(&name) {
            Some(text) => context.print(&text),
            None => return Err(ConsoleError::Help(name)),
        },
        Console::License => context.print(&tamarin_game::about::license(about::NOTICES)),
    }
    Ok(())
}
