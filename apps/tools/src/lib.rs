//! The command line of the program `tamarin-tools`, and the command that no other crate has: `variant`.
#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "for the programs alone: a name that says all needs no comment")]

pub mod variant;

use clap::{Parser, Subcommand};
use tamarin_analysis::{analyse, book, mate, suite};
use tamarin_game::about::VERSION;

/// Play, analyze, test and teach the chess engine Tamarin.
#[derive(Parser, Debug)]
#[command(name = "tamarin-tools", display_name = "Tamarin tools", version = VERSION, propagate_version = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand, Debug)]
pub enum Command {
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
    Variant(Box<variant::Arguments>),
    /// Play, watch and analyze in the browser
    Board(Box<tamarin_board::Arguments>),
    /// Show your rights, and the libraries in this program
    License,
}
