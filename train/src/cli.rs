//! The command line: one module a subcommand, each with its `Arguments` and `run`.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Subcommand;
use tamarin_base::with_causes;

use crate::commands::{self, ExportArguments, MergeArguments, ShuffleArguments};
use crate::data::FilteredGames;
use crate::error::{Result, TrainError};
use crate::{beginner, datagen, fit, import, levels, matches, net, report, stats, wdl};
#[cfg(feature = "spsa")]
use crate::{screen, spsa};

/// What can be done.
#[derive(Subcommand)]
pub enum Command {
    /// Play games of the engine against itself and keep them for training
    Datagen(datagen::Arguments),
    /// Count what files of games hold
    Stats(FilteredGames),
    /// Make training games of games in PGN with the scores of engines, such as those of OpenBench
    Import(import::Arguments),
    /// Write positions as text: FEN | score | result
    Export(ExportArguments),
    /// Put the games of files into random order
    Shuffle(ShuffleArguments),
    /// Join files of games, packed or not, to one in viriformat
    #[command(visible_alias = "unpack")]
    Merge(MergeArguments),
    /// Join files of games to one in a quarter of the room, with rounded scores
    Pack(MergeArguments),
    /// Fit the weights of the evaluation to games
    Fit(fit::Arguments),
    /// Show what terms of the evaluation are worth on games that a fit has not seen
    Ablation(fit::ablation::Arguments),
    /// Train the network on games
    Net(net::Arguments),
    /// Fit the chances to win, draw and lose at a score, and the size of a pawn
    Wdl(FilteredGames),
    /// Tune the parameters of the search by games
    #[cfg(feature = "spsa")]
    Spsa(Box<spsa::Arguments>),
    /// Measure many changes of parameters of the search in one match
    #[cfg(feature = "spsa")]
    Screen(Box<screen::Arguments>),
    /// Measure the levels of play: each against the one below it
    Levels(levels::Arguments),
    /// Be a UCI engine that plays as beginners do: mates in one, takes what hangs, else any move
    Beginner(beginner::Arguments),
    /// Play a match of two engines
    Match(Box<matches::Arguments>),
}

/// Does what the command line says; an error is printed on standard error with its causes.
#[must_use]
pub fn run(command: &Command) -> ExitCode {
    match execute(command) {
        Ok(()) => tamarin_base::files::end_of_output(report::outcome(), 0),
        Err(TrainError::Output(error)) => tamarin_base::files::end_of_output(Err(error), 0),
        Err(failure) => {
            // If standard error is closed, the error cannot be printed.
            let _ = writeln!(io::stderr(), "error: {}", with_causes(&failure));
            ExitCode::FAILURE
        }
    }
}

fn execute(command: &Command) -> Result<()> {
    match command {
        Command::Datagen(arguments) => datagen::run(arguments),
        Command::Stats(arguments) => stats::run(arguments),
        Command::Import(arguments) => import::run(arguments),
        Command::Export(arguments) => commands::export(arguments),
        Command::Shuffle(arguments) => commands::shuffle(arguments),
        Command::Merge(arguments) => commands::merge(arguments),
        Command::Pack(arguments) => commands::pack(arguments),
        Command::Fit(arguments) => fit::run(arguments),
        Command::Ablation(arguments) => fit::ablation::run(arguments),
        Command::Net(arguments) => net::run(arguments),
        Command::Wdl(arguments) => wdl::run(arguments),
        #[cfg(feature = "spsa")]
        Command::Spsa(arguments) => spsa::run(arguments),
        #[cfg(feature = "spsa")]
        Command::Screen(arguments) => screen::run(arguments),
        Command::Levels(arguments) => levels::run(arguments),
        Command::Beginner(arguments) => beginner::run(arguments),
        Command::Match(arguments) => matches::run(arguments),
    }
}
