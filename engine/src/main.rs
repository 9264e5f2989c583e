//! Tamarin: a chess engine. This crate connects the others to a client.
#![forbid(unsafe_code)]

mod about;
mod analyse;
mod analyzer;
mod arguments;
mod book;
mod console;
mod controls;
#[cfg(test)]
mod corpus;
mod engine;
mod epd;
mod evaluation;
mod evaluator;
mod game;
mod inbox;
mod input;
mod lines;
mod mate;
mod message;
mod new_file;
mod options;
mod output;
mod own_engine;
mod pgn;
mod play;
mod report_text;
mod resources;
mod score_text;
mod search_queue;
mod serve;
mod session_end;
mod settings;
mod shutdown;
mod suite;
mod uci;
mod variant;
mod variant_game;
mod variation;
mod wdl;
mod xboard;

use std::process::ExitCode;

use crate::arguments::{Arguments, Task};

fn main() -> ExitCode {
    match Arguments::read() {
        Task::Serve { commands, then } => serve::run(commands, then),
        Task::Book(arguments) => book::command::run(&arguments),
        Task::Perft(arguments) => tamarin_perft::cli::run(&arguments),
        Task::Analyse(arguments) => analyse::run(&arguments),
        Task::Eval(arguments) => evaluation::run(&arguments),
        Task::Play(arguments) => play::run(&arguments),
        Task::Suite(arguments) => suite::run(&arguments),
        Task::Mate(arguments) => mate::run(&arguments),
        Task::Variant(arguments) => variant::run(&arguments),
    }
}
