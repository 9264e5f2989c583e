//! `tamarin perft`: counts the leaves of the tree of legal moves.
//!
//! All of it is in the crate that counts, which the program `perft` shares.

use std::process::ExitCode;

use tamarin_perft::cli;

/// Count the leaves of the tree of legal moves, to verify move generation
#[derive(clap::Args, Debug)]
// Both structs are called the same, and so would be their groups.
#[group(skip)]
pub(crate) struct Arguments {
    #[command(flatten)]
    arguments: cli::Arguments,
}

/// Does what the arguments say.
pub(crate) fn run(arguments: &Arguments) -> ExitCode {
    cli::run(&arguments.arguments)
}
