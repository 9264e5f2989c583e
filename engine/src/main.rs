//! Tamarin: a UCI chess engine.
#![forbid(unsafe_code)]

mod commands;
mod version;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The command line.
#[derive(Parser, Debug)]
#[command(name = "tamarin", display_name = "Tamarin", version = version::VERSION, about)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Perft(Box<commands::perft::Arguments>),
}

fn main() -> ExitCode {
    match Program::parse().command {
        Command::Perft(arguments) => commands::perft::run(&arguments),
    }
}
