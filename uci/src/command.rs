//! One line of input as a command.

use core::str::FromStr;

use crate::console;
use crate::go::{self, GoLine};
use crate::note::Notes;
use crate::words::{Words, push_word};
use crate::{
    Console, ConsoleError, Excerpt, Go, Note, PositionError, PositionText, SetOption,
    SetOptionError,
};

/// What a client asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Nothing to do and nothing to say: a blank line, a `#` comment, `register`,
    /// `copyprotection`, or an engine's own words sent back (`readyok`, `bestmove`, `info`, ...).
    Ignore,
    /// `uci`: name yourself, list the options, say `uciok`. May come again at any time.
    Uci,
    /// `xboard`: another protocol is wanted, unless `uci` follows.
    XBoard,
    /// `debug on` or `debug off`.
    Debug(Switch),
    /// `isready`.
    IsReady,
    /// `setoption`.
    SetOption(SetOption),
    /// `ucinewgame`.
    NewGame,
    /// `position`.
    Position(PositionText),
    /// `go`, except `go perft`.
    Go(Go),
    /// `stop`.
    Stop,
    /// `ponderhit`.
    PonderHit,
    /// `quit`.
    Quit,
    /// `savehash FILE`: write what searches have learned to a file.
    SaveHash(String),
    /// `loadhash FILE`: go on with what such a file holds.
    LoadHash(String),
    /// A command for people and test frameworks.
    Console(Console),
}

/// The argument of `debug`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switch {
    /// `on`
    On,
    /// `off`
    Off,
}

/// A command and what was ignored on the way to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parsed {
    /// The command.
    pub command: Command,
    /// What had no effect, in the order of the line, nine notes at most.
    pub notes: Vec<Note>,
}

/// Why a line is no command. Printing gives one line that quotes the offending text.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// No word of the line is a command.
    #[error("unknown command: {text}")]
    Unknown {
        /// The line.
        text: Excerpt,
    },
    /// Neither `on` nor `off` follows `debug`. The switch stays as it is.
    #[error("debug: expected on or off, not {text}")]
    Debug {
        /// The word found, empty at the end of the line.
        text: Excerpt,
    },
    /// A bad `setoption`.
    #[error(transparent)]
    SetOption(#[from] SetOptionError),
    /// A bad `position`: there is no position until a good one comes.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// Bad arguments of a console command.
    #[error(transparent)]
    Console(#[from] ConsoleError),
}

/// Words that start a command of the protocol.
#[derive(Clone, Copy)]
enum Keyword {
    Uci,
    XBoard,
    Debug,
    IsReady,
    SetOption,
    NewGame,
    Position,
    Go,
    Stop,
    PonderHit,
    Quit,
    Ignored,
}

/// The keyword `word` is, spelled exactly.
fn keyword(word: &str) -> Option<Keyword> {
    Some(match word {
        "uci" => Keyword::Uci,
        "xboard" => Keyword::XBoard,
        "debug" => Keyword::Debug,
        "isready" => Keyword::IsReady,
        "setoption" => Keyword::SetOption,
        "ucinewgame" => Keyword::NewGame,
        "position" => Keyword::Position,
        "go" => Keyword::Go,
        "stop" => Keyword::Stop,
        "ponderhit" => Keyword::PonderHit,
        "quit" => Keyword::Quit,
        // Nothing to register, and an echo of our own output must not be searched for commands.
        "register" | "registration" | "copyprotection" | "id" | "uciok" | "readyok"
        | "bestmove" | "info" | "option" => Keyword::Ignored,
        _ => return None,
    })
}

/// Reads one line. Never panics; a line end, tabs, repeated spaces and a byte-order mark are fine.
///
/// As the protocol asks, unknown words around a command are skipped (with a note):
/// `joho debug on` switches the debug mode on. Console commands, `savehash` and `loadhash` are only
/// seen as the first word.
///
/// # Errors
/// If the line holds no command, or the command's arguments cannot be used at all.
pub fn parse(line: &str) -> Result<Parsed, ParseError> {
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let mut words = Words::new(line);
    let mut notes = Notes::default();
    let Some(first) = words.next().filter(|word| !word.starts_with('#')) else {
        return Ok(Parsed { command: Command::Ignore, notes: Vec::new() });
    };
    let command = match keyword(first) {
        Some(keyword) => parse_after(keyword, &mut words, &mut notes)?,
        None => match parse_first(first, &mut words)? {
            Some(command) => command,
            None => parse_late(first, &mut words, &mut notes)?,
        },
    };
    let rest = words.rest();
    if !rest.is_empty() && command != Command::Ignore {
        notes.add(|| Note::Trailing { text: rest.into() });
    }
    Ok(Parsed { command, notes: notes.into_vec() })
}

/// The arguments of a protocol command.
fn parse_after(
    keyword: Keyword,
    words: &mut Words<'_>,
    notes: &mut Notes,
) -> Result<Command, ParseError> {
    Ok(match keyword {
        Keyword::Uci => Command::Uci,
        Keyword::XBoard => Command::XBoard,
        Keyword::Debug => Command::Debug(match words.next() {
            Some("on") => Switch::On,
            Some("off") => Switch::Off,
            other => {
                let text = Excerpt::from(other.unwrap_or_default());
                return Err(ParseError::Debug { text });
            }
        }),
        Keyword::IsReady => Command::IsReady,
        Keyword::SetOption => Command::SetOption(SetOption::parse(words.take_rest())?),
        Keyword::NewGame => Command::NewGame,
        Keyword::Position => Command::Position(PositionText::parse(words.take_rest())?),
        Keyword::Go => match go::parse(words, notes)? {
            GoLine::Search(go) => Command::Go(go),
            GoLine::Console(console) => Command::Console(console),
        },
        Keyword::Stop => Command::Stop,
        Keyword::PonderHit => Command::PonderHit,
        Keyword::Quit => Command::Quit,
        Keyword::Ignored => Command::Ignore,
    })
}

/// A command that has to stand at the beginning of a line, if `first` is one.
fn parse_first(first: &str, words: &mut Words<'_>) -> Result<Option<Command>, ConsoleError> {
    Ok(match first {
        "savehash" => Some(Command::SaveHash(console::file("savehash", words.take_rest())?)),
        "loadhash" => Some(Command::LoadHash(console::file("loadhash", words.take_rest())?)),
        _ => parse_console(first, words)?.map(Command::Console),
    })
}

/// A console command, if `first` is one.
fn parse_console(first: &str, words: &mut Words<'_>) -> Result<Option<Console>, ConsoleError> {
    Ok(Some(match first {
        "d" => Console::Board,
        "eval" => Console::parse_eval(words)?,
        "bench" => Console::parse_bench(words)?,
        "perft" => Console::parse_perft(words)?,
        "help" | "--help" => Console::Help(words.next().map(str::to_owned)),
        "license" | "--license" => Console::License,
        "genfens" => Console::parse_gen_fens(words)?,
        _ => return Ok(None),
    }))
}

/// A protocol command after unknown words.
fn parse_late(
    first: &str,
    words: &mut Words<'_>,
    notes: &mut Notes,
) -> Result<Command, ParseError> {
    let mut skipped = first.to_owned();
    while let Some(word) = words.next() {
        if let Some(keyword) = keyword(word) {
            if !matches!(keyword, Keyword::Ignored) {
                notes.add(|| Note::Skipped { text: skipped.as_str().into() });
            }
            return parse_after(keyword, words, notes);
        }
        // What an excerpt will not show need not be collected.
        if skipped.len() <= 4 * Excerpt::LIMIT {
            push_word(&mut skipped, word);
        }
    }
    Err(ParseError::Unknown { text: skipped.as_str().into() })
}

/// As [`parse`], without the notes.
impl FromStr for Command {
    type Err = ParseError;

    fn from_str(line: &str) -> Result<Self, ParseError> {
        parse(line).map(|parsed| parsed.command)
    }
}
