//! The command line.

use std::env;
use std::ffi::{OsStr, OsString};

use clap::error::ErrorKind;
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tamarin_base::process::processor::LEVEL;
use tamarin_uci::Command;

use crate::about;
use crate::eval_command;
use tamarin_game::about::{TOOLS, VERSION};

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
    /// Accepted for compatibility; UCI is the default
    #[arg(long)]
    uci: bool,

    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Count the leaf nodes of the tree of legal moves, to verify move generation
    Perft(Box<tamarin_perft::cli::Arguments>),
    /// Show how a position is evaluated, piece by piece and term by term
    Eval(Box<eval_command::Arguments>),
    #[command(external_subcommand)]
    Commands(Vec<OsString>),
}

/// What the command line asks for.
#[derive(Debug)]
pub enum Task {
    /// A client to serve.
    Serve {
        /// The commands given as arguments, each a line.
        commands: Vec<String>,
        /// What comes after them.
        then: Then,
    },
    /// The perft program.
    Perft(Box<tamarin_perft::cli::Arguments>),
    /// The evaluation of a position, term by term.
    Eval(Box<eval_command::Arguments>),
    /// Help with one command, to be printed.
    Help(String),
    /// A command of `tamarin-tools`.
    Tool {
        /// The command and its arguments, as they stand on the command line.
        words: Vec<OsString>,
    },
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
    /// What the arguments of this process ask for.
    pub fn read() -> Result<Task, clap::Error> {
        Self::of(env::args_os())
    }

    /// The arguments of the other program pass through unread.
    fn of(words: impl Iterator<Item = OsString>) -> Result<Task, clap::Error> {
        let mut words: Vec<OsString> = words.collect();
        if words.get(1).is_some_and(|word| is_tool(word)) {
            return Ok(Task::Tool { words: words.split_off(1) });
        }
        if let Some(name) = named_in_help(&words) {
            if is_tool(&name) {
                return Ok(Task::Tool { words: vec![name, "--help".into()] });
            }
            // Those two have options of their own.
            if name != "perft" && name != "eval" {
                return match name.to_str().and_then(about::help_with) {
                    Some(text) => Ok(Task::Help(text)),
                    None => {
                        let name = name.display();
                        let text = format!("'{name}' is no command; `tamarin help` lists them");
                        Err(Self::command().error(ErrorKind::InvalidSubcommand, text))
                    }
                };
            }
            words = vec!["tamarin".into(), name, "--help".into()];
        }
        Self::from_arg_matches(&Self::whole_command().try_get_matches_from(words)?)?.task()
    }

    /// The definition for the help, with the commands of the other program.
    pub fn whole_command() -> clap::Command {
        // Needed until the end of the process, as clap asks.
        let version = format!("{VERSION}\nThis build uses the instructions of {LEVEL}.").leak();
        Self::command()
            .long_version(&*version)
            .subcommands(TOOLS.map(|(name, about)| clap::Command::new(name).about(about)))
    }

    fn task(self) -> Result<Task, clap::Error> {
        let serve = self.uci;
        let words = match self.action {
            None => return Ok(Task::Serve { commands: Vec::new(), then: Then::Serve }),
            Some(Action::Perft(arguments)) => return Ok(Task::Perft(arguments)),
            Some(Action::Eval(arguments)) => return Ok(Task::Eval(arguments)),
            Some(Action::Commands(words)) => words,
        };
        let commands = commands(&words)?;
        let mut last = None;
        for command in &commands {
            last = Some(check(command)?);
        }
        let protocol = matches!(last, Some(Command::Uci | Command::XBoard));
        let then = if protocol || serve { Then::Serve } else { Then::Exit };
        Ok(Task::Serve { commands, then })
    }
}

/// The command with which help is wanted: `help NAME`, or `NAME --help`.
fn named_in_help(words: &[OsString]) -> Option<OsString> {
    match words {
        [_, name, _] if name.to_string_lossy().starts_with('-') => None,
        [_, name, help] if help == "--help" || help == "-h" => Some(name.clone()),
        [_, help, name] if help == "help" => Some(name.clone()),
        _ => None,
    }
}

/// Whether a word is a command of `tamarin-tools`, in either spelling.
fn is_tool(word: &OsStr) -> bool {
    word == "analyze" || TOOLS.iter().any(|(name, _)| word == *name)
}

/// Arguments as lines: if any of them holds a space each is a command, as OpenBench gives them;
/// else they are the words of one command, as with Stockfish.
fn commands(words: &[OsString]) -> Result<Vec<String>, clap::Error> {
    let words: Vec<String> = words.iter().map(|word| text(word)).collect::<Result<_, _>>()?;
    Ok(if words.iter().any(|word| word.contains(' ')) { words } else { vec![words.join(" ")] })
}

/// An argument as text. Another text in its place could name another file.
fn text(word: &OsStr) -> Result<String, clap::Error> {
    word.to_str().map(str::to_owned).ok_or_else(|| {
        let text = format!("'{}' is not UTF-8", word.display());
        Arguments::command().error(ErrorKind::InvalidUtf8, text)
    })
}

/// Refuses what a session would only remark upon: the user of a command line sees the mistake
/// before anything runs.
fn check(command: &str) -> Result<Command, clap::Error> {
    let mistake = match tamarin_uci::parse(command) {
        Ok(parsed) => match parsed.notes.first() {
            Some(note) => format!("'{command}': {note}"),
            None if parsed.command == Command::Ignore && !is_comment(command) => {
                format!("'{command}' does nothing; `tamarin help` lists the commands")
            }
            None => return Ok(parsed.command),
        },
        Err(error) => error.to_string(),
    };
    Err(Arguments::command().error(ErrorKind::InvalidSubcommand, mistake))
}

/// Whether a command is blank or a comment: one that is meant to do nothing.
fn is_comment(command: &str) -> bool {
    let command = command.trim_start();
    command.is_empty() || command.starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Task, Then};
    use std::ffi::OsString;

    fn task(words: &[&str]) -> Result<Task, clap::Error> {
        let words = std::iter::once("tamarin").chain(words.iter().copied());
        Arguments::of(words.map(OsString::from))
    }

    fn session(words: &[&str]) -> (Vec<String>, Then) {
        match task(words) {
            Ok(Task::Serve { commands, then }) => (commands, then),
            other => panic!("{words:?} give {other:?}"),
        }
    }

    #[test]
    fn the_definition_is_consistent() {
        Arguments::whole_command().debug_assert();
    }

    #[test]
    fn nothing_or_the_name_of_a_protocol_means_to_serve() {
        assert_eq!(session(&[]), (vec![], Then::Serve));
        assert_eq!(session(&["--uci"]), (vec![], Then::Serve));
        assert_eq!(session(&["uci"]), (vec!["uci".to_owned()], Then::Serve));
        assert_eq!(session(&["xboard"]), (vec!["xboard".to_owned()], Then::Serve));
        assert_eq!(session(&[" uci "]), (vec![" uci ".to_owned()], Then::Serve));
        let after_option = ["setoption name Hash value 8", "uci"];
        assert_eq!(session(&after_option), (after_option.map(str::to_owned).to_vec(), Then::Serve));
    }

    #[test]
    fn words_are_one_command_unless_one_holds_a_blank() {
        assert_eq!(session(&["go", "depth", "12"]), (vec!["go depth 12".to_owned()], Then::Exit));
        let several = ["position startpos moves e2e4", "go depth 10", "quit"];
        assert_eq!(session(&several), (several.map(str::to_owned).to_vec(), Then::Exit));
        let fen = ["position", "fen", "8/8/8/8/8/8/8/8", "w", "-", "-"];
        assert_eq!(session(&fen).0, ["position fen 8/8/8/8/8/8/8/8 w - -"]);
        assert_eq!(session(&["help"]).0, ["help"]);
        let silent = ["# a comment", "", " ", "go depth 1"];
        assert_eq!(session(&silent).0, silent);
    }

    #[cfg(unix)]
    #[test]
    fn a_command_that_is_not_utf_8_is_a_usage_error() {
        use std::os::unix::ffi::OsStringExt as _;
        for name in [b"caf\xe9.hash".as_slice(), b"a caf\xe9.hash"] {
            let name = OsString::from_vec(name.to_vec());
            let words = ["tamarin".into(), "savehash".into(), name];
            let error = Arguments::of(words.into_iter()).expect_err("the name is not UTF-8");
            let text = error.to_string();
            assert!(error.exit_code() == 2 && error.use_stderr(), "{text}");
            assert!(text.contains("caf\u{fffd}.hash' is not UTF-8"), "{text}");
        }
    }

    #[test]
    fn perft_is_a_subcommand_unless_quoted() {
        assert!(matches!(task(&["perft", "3"]), Ok(Task::Perft(_))));
        assert_eq!(session(&["perft 3"]), (vec!["perft 3".to_owned()], Then::Exit));
    }

    #[test]
    fn commands_of_the_other_program_pass_through_unread() {
        for words in [&["play", "--help", "--", "-x"][..], &["analyze"], &["variant", "list"]] {
            match task(words) {
                Ok(Task::Tool { words: passed }) => assert_eq!(passed, words),
                other => panic!("{words:?} give {other:?}"),
            }
        }
        let help = Arguments::whole_command().render_long_help().to_string();
        for name in ["play", "analyse", "suite", "mate", "book", "variant", "perft", "eval"] {
            assert!(help.contains(&format!("\n  {name} ")), "{help}");
        }
    }

    #[test]
    fn help_is_given_with_each_command_in_either_order() {
        for words in [["help", "play"], ["play", "--help"]] {
            let Ok(Task::Tool { words }) = task(&words) else { panic!("{words:?}") };
            assert_eq!(words, ["play", "--help"]);
        }
        let help = |words: &[&str]| match task(words) {
            Ok(Task::Help(text)) => text,
            other => panic!("{words:?} give {other:?}"),
        };
        for name in ["bench", "genfens", "d", "license", "help"] {
            let text = help(&["help", name]);
            assert!(text.starts_with(name), "{text}");
            assert_eq!(help(&[name, "--help"]), text);
        }
        assert!(help(&["genfens", "--help"]).contains("make N openings"));
        assert!(!help(&["genfens", "--help"]).contains("your rights"));
        assert!(help(&["help", "go"]).contains("movetime T"));
        for words in [["help", "perft"], ["eval", "--help"]] {
            let shown = task(&words).expect_err("the help of its options");
            assert_eq!(shown.exit_code(), 0, "{words:?}");
        }
        for words in [["help", "nonsense"], ["nonsense", "--help"]] {
            let error = task(&words).expect_err("there is no such command");
            assert!(error.exit_code() == 2 && error.to_string().contains("nonsense"), "{error}");
        }
    }

    #[test]
    fn what_is_not_understood_is_a_usage_error_that_names_it() {
        let lists: [(&[&str], &str); 23] = [
            (&["--nonsense"], "--nonsense"),
            (&["nonsense"], "nonsense"),
            (&["nonsense", "--flag"], "nonsense"),
            (&["nonsense", "go", "depth", "1"], "nonsense"),
            (&["position startpos", "nonsense", "quit"], "nonsense"),
            (&["position startpos", "go depth 5", "quit", "many words"], "many words"),
            (&["position startpos", "go depth 5", "quit now"], "now"),
            (&["go", "depth", "5", "nonsense"], "nonsense"),
            (&["go", "depth", "five"], "five"),
            (&["go", "movetime", "569.9"], "569.9"),
            (&["go", "perft", "1", "depth", "3"], "depth 3"),
            (&["d", "foo"], "foo"),
            (&["isready", "x"], "x"),
            (&["uci", "x"], "x"),
            (&["xboard", "post"], "post"),
            (&["help", "go", "depth"], "depth"),
            (&["bench", "1", "1", "1", "current", "depth", "x"], "x"),
            (&["bench", "16", "1", "five"], "five"),
            (&["position", "nowhere"], "nowhere"),
            (&["option"], "option"),
            (&["register", "later"], "register later"),
            (&["nonsense", "info"], "nonsense info"),
            (&["go depth 1", "uciok"], "uciok"),
        ];
        for (words, culprit) in lists {
            let error = task(words).expect_err("something is wrong with them");
            assert_eq!(error.exit_code(), 2, "{words:?}");
            assert!(error.use_stderr(), "{words:?}");
            let text = error.to_string();
            assert!(text.contains("Usage: tamarin"), "{text}");
            assert!(text.lines().next().is_some_and(|line| line.contains(culprit)), "{text}");
        }
    }
}
