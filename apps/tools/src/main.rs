//! The program `tamarin-tools`: what people do with the engine beside playing it in a graphical
//! program. `tamarin play` and its like start it.
#![forbid(unsafe_code)]

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tamarin_analysis::{analyse, book, mate, suite};
use tamarin_base::process::processor;
use tamarin_game::about::{self, VERSION};

/// Play, analyze, test and teach the chess engine Tamarin.
#[derive(Parser, Debug)]
#[command(name = "tamarin-tools", display_name = "Tamarin tools", version = VERSION, propagate_version = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    /// Play a game in the terminal, or solve puzzles
    Play(Box<tamarin_play::Arguments>),
    /// Evaluate games and positions: mistakes, better lines, a report for the browser
    #[command(alias = "analyze")]
    Analyse(Box<analyse::Arguments>),
    /// Search positions whose best moves are known, and count what is found
    Suite(Box<suite::Arguments>),
    /// Prove or refute that a mate can be forced in a number of moves
    Mate(Box<mate::Arguments>),
    /// Make opening books from games, show and check them
    Book(Box<book::command::Arguments>),
    /// Inspect, check and play variants defined in rules files
    Variant(Box<tamarin_tools::variant::Arguments>),
    /// Play, watch and analyze in the browser
    Board(Box<tamarin_board::Arguments>),
    /// Show your rights, and the libraries in this program
    License,
}

/// The libraries in this program, their owners and licenses. A test compares it with `Cargo.lock`
/// and writes it: `TAMARIN_WRITE_NOTICES=1 cargo test --package tamarin-tools --test commands notices`.
const NOTICES: &str = include_str!("notices.txt");

fn main() -> ExitCode {
    processor::check();
    run()
}

/// Not inlined: none of its instructions may come before the check of the processor.
#[inline(never)]
fn run() -> ExitCode {
    tamarin_base::files::survive_size_limit();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(text) => return tamarin_base::files::end_of_output(text.print(), text.exit_code()),
    };
    tamarin_base::panics::guard(|| match arguments.command {
        Command::Play(arguments) => tamarin_play::run(&arguments),
        Command::Analyse(arguments) => analyse::run(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
        Command::Mate(arguments) => mate::run(&arguments),
        Command::Book(arguments) => book::command::run(&arguments),
        Command::Variant(arguments) => tamarin_tools::variant::run(&arguments),
        Command::Board(arguments) => tamarin_board::run(&arguments),
        Command::License => license(),
    })
}

fn license() -> ExitCode {
    tamarin_base::files::end_of_output(writeln!(io::stdout(), "{}", about::license(NOTICES)), 0)
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use clap::CommandFactory;
    use tamarin_game::about::TOOLS;

    #[test]
    fn the_engine_starts_every_command_and_describes_it_in_the_same_words() {
        let command = Arguments::command();
        command.clone().debug_assert();
        // The engine has a command of that name itself, for its own libraries.
        let started = command.get_subcommands().filter(|one| one.get_name() != "license");
        let own = started.map(|one| (one.get_name(), one.get_about()));
        let own: Vec<_> = own.map(|(name, about)| (name, about.unwrap().to_string())).collect();
        assert_eq!(own, TOOLS.map(|(name, about)| (name, about.to_owned())));
    }
}
