//! The program `tamarin-tools`: what people do with the engine beside playing it in a graphical
//! program. `tamarin play` and its like start it.
#![forbid(unsafe_code)]

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tamarin_analysis::{analyse, book, mate, suite};
use tamarin_chess::about::VERSION;

/// Play, analyse, test and teach the chess engine Tamarin.
#[derive(Parser, Debug)]
#[command(name = "tamarin-tools", display_name = "Tamarin tools", version = VERSION)]
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
    Variant(Box<tamarin_variant_tools::Arguments>),
}

fn main() -> ExitCode {
    tamarin_chess::panics::guard(|| match Arguments::parse().command {
        Command::Play(arguments) => tamarin_play::run(&arguments),
        Command::Analyse(arguments) => analyse::run(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
        Command::Mate(arguments) => mate::run(&arguments),
        Command::Book(arguments) => book::command::run(&arguments),
        Command::Variant(arguments) => tamarin_variant_tools::run(&arguments),
    })
}

#[cfg(test)]
mod tests {
    use super::Arguments;
    use clap::CommandFactory;
    use tamarin_chess::about::TOOLS;

    #[test]
    fn the_engine_starts_every_command_and_describes_it_in_the_same_words() {
        let command = Arguments::command();
        command.clone().debug_assert();
        let own = command.get_subcommands().map(|one| (one.get_name(), one.get_about()));
        let own: Vec<_> = own.map(|(name, about)| (name, about.unwrap().to_string())).collect();
        assert_eq!(own, TOOLS.map(|(name, about)| (name, about.to_owned())));
    }
}
