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
    tamarin_search::panics::guard(|| tamarin_train::cli::run(&Program::parse().command))
}
