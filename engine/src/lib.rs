//! Tamarin, a chess engine for the UCI and XBoard protocols: connects search, evaluation and move
//! generation to a client. The program `tamarin` is [`run`].
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

mod about;
mod arguments;
mod client;
mod console;
mod engine;
mod eval_command;
mod inbox;
mod input;
mod options;
mod output;
mod report;
mod serve;
mod settings;
mod tools;
mod uci;
mod xboard;

pub use client::SessionEnd;
pub use serve::converse;

use std::io::{self, Write};
use std::process::ExitCode;

use tamarin_base::memory::configure_heap;
use tamarin_base::panics;

use crate::arguments::{Arguments, Task};

/// The definition of the command line, with the names of the commands of `tamarin-tools`: for
/// manual pages and completions.
pub fn command_line() -> clap::Command {
    Arguments::whole_command()
}

/// Runs the program with the arguments of this process. After a panic in any thread the exit status
/// is 1.
///
/// Not inlined: none of its instructions may come before [`tamarin_base::process::processor::check`].
#[inline(never)]
pub fn run() -> ExitCode {
    configure_heap();
    tamarin_base::files::survive_size_limit();
    let task = match Arguments::read() {
        Ok(task) => task,
        Err(text) => return tamarin_base::files::end_of_output(text.print(), text.exit_code()),
    };
    panics::guard(|| match task {
        Task::Serve { commands, then } => serve::run(commands, then),
        Task::Perft(arguments) => tamarin_perft::cli::run(&arguments),
        Task::Eval(arguments) => eval_command::run(&arguments),
        Task::Help(text) => tamarin_base::files::end_of_output(writeln!(io::stdout(), "{text}"), 0),
        Task::Tool { words } => tools::run(&words),
    })
}
