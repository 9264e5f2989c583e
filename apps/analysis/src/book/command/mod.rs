//! `tamarin book`: making, showing and checking books.

mod check;
mod make;
mod show;

use std::process::ExitCode;

use clap::Subcommand;

use crate::error::exit_code;

/// The exit code of an answer that the user will not like.
const BAD: u8 = 1;

const EXIT_CODES: &str = "Exit codes: 0 all well; 1 no move is good enough for a book, the book \
    has no move, or is faulty; 2 bad input or unwritable output; 130 interrupted.";

/// What the command line may say.
#[derive(clap::Args, Clone, Debug)]
#[command(after_help = EXIT_CODES)]
pub struct Arguments {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Clone, Debug)]
enum Action {
    /// Make a book from games in PGN
    Make(make::Arguments),
    /// Show the moves of a book in a position
    Show(show::Arguments),
    /// Look for faults in a book
    Check(check::Arguments),
}

/// Does what the command line says. Errors go to standard error with their causes.
pub fn run(arguments: &Arguments) -> ExitCode {
    exit_code(match &arguments.action {
        Action::Make(arguments) => make::run(arguments),
        Action::Show(arguments) => show::run(arguments),
        Action::Check(arguments) => check::run(arguments),
    })
}
