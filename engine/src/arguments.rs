//! The command line.

use std::ffi::OsString;

use clap::{Parser, Subcommand};

use crate::commands::perft;
use crate::version::VERSION;

/// A UCI chess engine. Started without arguments it serves a graphical program.
#[derive(Parser, Debug)]
#[command(
    name = "tamarin",
    display_name = "Tamarin",
    version = VERSION,
    disable_help_subcommand = true,
    after_help = "Any command of the engine may be given as well: tamarin bench; \
        tamarin go depth 12;\ntamarin \"position startpos moves e2e4\" \"go depth 12\" quit\n\n\
        `tamarin help` lists them."
)]
pub struct Arguments {
    /// Serve the UCI protocol; accepted because some programs insist, it needs no flag
    #[arg(long)]
    uci: bool,

    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand, Debug)]
enum Action {
    Perft(Box<perft::Arguments>),
    #[command(external_subcommand)]
    Commands(Vec<OsString>),
}

/// What the command line asks for.
#[derive(Debug)]
pub enum Task {
    /// Commands given as arguments, then perhaps those of standard input.
    Converse {
        /// The lines given.
        script: Vec<String>,
        /// What comes after them.
        then: Then,
    },
    /// The perft program.
    Perft(Box<perft::Arguments>),
}

/// What comes after the commands given as arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// The end, once they are carried out.
    Exit,
    /// Standard input.
    Serve,
}

impl Arguments {
    /// What to do.
    pub fn task(self) -> Task {
        match self.action {
            None => Task::Converse { script: Vec::new(), then: Then::Serve },
            Some(Action::Perft(arguments)) => Task::Perft(arguments),
            Some(Action::Commands(words)) => {
                let script = script(&words);
                let protocol =
                    matches!(script.as_slice(), [one] if one == "uci" || one == "xboard");
                let then = if protocol || self.uci { Then::Serve } else { Then::Exit };
                Task::Converse { script, then }
            }
        }
    }
}

/// Arguments as lines: if any of them holds a blank, each is a command, as OpenBench has it;
/// else they are the words of one command, as in Stockfish.
fn script(words: &[OsString]) -> Vec<String> {
    let words: Vec<String> = words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    if words.iter().any(|word| word.contains(' ')) { words } else { vec![words.join(" ")] }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Task, Then};
    use clap::{CommandFactory, Parser};

    fn converse(words: &[&str]) -> (Vec<String>, Then) {
        let words = std::iter::once("tamarin").chain(words.iter().copied());
        match Arguments::try_parse_from(words).expect("no flag is unknown").task() {
            Task::Converse { script, then } => (script, then),
            Task::Perft(_) => panic!("not perft"),
        }
    }

    #[test]
    fn the_definition_is_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn nothing_or_the_name_of_a_protocol_means_to_serve() {
        assert_eq!(converse(&[]), (vec![], Then::Serve));
        assert_eq!(converse(&["--uci"]), (vec![], Then::Serve));
        assert_eq!(converse(&["uci"]), (vec!["uci".to_owned()], Then::Serve));
        assert_eq!(converse(&["xboard"]), (vec!["xboard".to_owned()], Then::Serve));
    }

    #[test]
    fn words_are_one_command_unless_one_holds_a_blank() {
        assert_eq!(converse(&["go", "depth", "12"]), (vec!["go depth 12".to_owned()], Then::Exit));
        let several = ["position startpos moves e2e4", "go depth 10", "quit"];
        assert_eq!(converse(&several), (several.map(str::to_owned).to_vec(), Then::Exit));
        let fen = ["position", "fen", "8/8/8/8/8/8/8/8", "w", "-", "-"];
        assert_eq!(converse(&fen).0, ["position fen 8/8/8/8/8/8/8/8 w - -"]);
        assert_eq!(converse(&["help"]).0, ["help"]);
    }

    #[test]
    fn unknown_flags_are_refused() {
        assert!(Arguments::try_parse_from(["tamarin", "--nonsense"]).is_err());
    }
}
