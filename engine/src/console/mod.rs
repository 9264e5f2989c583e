//! Commands for people and test frameworks, beside the protocol.

mod bench;
mod board;
mod context;
mod genfens;
mod perft;

use tamarin_uci::Console;

pub use self::context::Context;
use self::context::NoPosition;

use crate::about;

/// Why a console command was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum ConsoleError {
    /// `d` or `eval`.
    #[error(transparent)]
    NoPosition(#[from] NoPosition),
    /// `perft`.
    #[error(transparent)]
    Perft(#[from] perft::PerftError),
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
        Console::Perft(depth) => perft::run(depth, context)?,
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
