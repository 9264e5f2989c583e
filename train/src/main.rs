//! The program `tamarin-train`: training games and what is learned from them.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::Parser;

/// Plays training games and fits the engine to them
#[derive(Parser)]
#[command(name = "tamarin-train", version = tamarin_train::ENGINE)]
struct Program {
    #[command(subcommand)]
    command: tamarin_train::cli::Command,
}

fn main() -> ExitCode {
    tamarin_base::files::survive_size_limit();
    match Program::try_parse() {
        Ok(program) => tamarin_search::panics::guard(|| tamarin_train::cli::run(&program.command)),
        Err(text) => tamarin_base::files::end_of_output(text.print(), text.exit_code()),
    }
}
