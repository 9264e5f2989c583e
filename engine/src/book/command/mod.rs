//! `tamarin book`: making, showing and checking books.

mod check;
mod make;
mod show;

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Subcommand;

use super::file::{Book, BookError};

/// Exit codes: 0 if all went well, 1 if the answer is bad news, 2 if there is no answer.
const EXIT_CODES: &str = "Exit codes: 0 all well; 1 no move is good enough for a book, the book \
    has no move, or is faulty; 2 bad input or unwritable output.";

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

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ending {
    Good,
    /// The work was done, and the user will not like what came of it.
    Bad,
}

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The book cannot be used.
    #[error("{}", .path.display())]
    Book {
        /// Its path.
        path: PathBuf,
        /// What is wrong with it.
        source: BookError,
    },
    /// A file cannot be read or written.
    #[error("{}", .path.display())]
    File {
        /// Its path.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// The position is none.
    #[error("the position: {0}")]
    Position(String),
    /// Standard output cannot be written.
    #[error("standard output")]
    Output(#[from] io::Error),
}

/// Does what the command line says. Failures are told on standard error with their causes.
pub fn run(arguments: &Arguments) -> ExitCode {
    let done = match &arguments.action {
        Action::Make(arguments) => make::run(arguments),
        Action::Show(arguments) => show::run(arguments),
        Action::Check(arguments) => check::run(arguments),
    };
    match done {
        Ok(Ending::Good) => ExitCode::SUCCESS,
        Ok(Ending::Bad) => ExitCode::from(1),
        Err(failure) => {
            complain(&format!("error: {}", with_causes(&failure)));
            ExitCode::from(2)
        }
    }
}

/// The book at a path, or the built-in one.
fn open(path: Option<&Path>) -> Result<Book, Failure> {
    let Some(path) = path else { return Ok(Book::built_in().clone()) };
    Book::read(path).map_err(|source| Failure::Book { path: path.to_owned(), source })
}

/// Writes a line to standard error; if that is closed there is nobody to tell.
fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// The message and those of its causes, each after a colon.
fn with_causes(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(source) = cause {
        text += &format!(": {source}");
        cause = source.source();
    }
    text
}
