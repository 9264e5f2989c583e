//! The program `perft`: the command `tamarin perft` on its own.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;

/// Counts the leaves of the tree of legal moves, to verify move generation
#[derive(Parser)]
#[command(name = "perft", version)]
struct Program {
    #[command(flatten)]
    arguments: tamarin_perft::cli::Arguments,
}

fn main() -> ExitCode {
    tamarin_base::files::survive_size_limit();
    match Program::try_parse() {
        Ok(program) => tamarin_perft::cli::run(&program.arguments),
        Err(text) => tamarin_base::files::end_of_output(text.print(), text.exit_code()),
    }
}
