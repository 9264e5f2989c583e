//! One line of input as a command, or as a line of the edit mode.

use tamarin_movegen::UciMove;

use super::Level;
use super::level::seconds;
use crate::Millis;
use crate::number::Number;
use crate::words::Words;

/// What a client asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Nothing to do: a blank line, and what informs the engine of things it has no use for
    /// (`accepted`, `computer`, `name`, `rating`, ...).
    Ignore,
    /// `xboard`: the protocol, which is in use already.
    XBoard,
    /// `protover N`: list the features.
    Protocol(u32),
    /// `uci`: the other protocol is wanted.
    Uci,
    /// `new`: the start position, the engine plays Black.
    New,
    /// `variant NAME`.
    Variant(String),
    /// `quit`.
    Quit,
    /// `force`: play neither side.
    Force,
    /// `go`: play the side to move.
    Go,
    /// `playother`: play the side that is not to move.
    PlayOther,
    /// `white`: White is to move, the engine plays Black.
    White,
    /// `black`: Black is to move, the engine plays White.
    Black,
    /// A move, with `usermove` before it or bare.
    Move(String),
    /// `?`: move now.
    MoveNow,
    /// `random`: vary moves from now on, or no longer.
    Random,
    /// `ping N`: say so when all before is done. The text is given back as it came.
    Ping(String),
    /// `level`.
    Level(Level),
    /// `st N`: exactly so long for each move.
    MoveTime(Millis),
    /// `sd N`: no deeper than N plies.
    Depth(u32),
    /// `nps N`: N nodes count as a second; `None` for a number that switches it off.
    NodesPerSecond(Option<u64>),
    /// `time N`: what is left on the engine's clock.
    Time(Millis),
    /// `otim N`: what is left on the opponent's clock.
    OpponentTime(Millis),
    /// `setboard FEN`.
    SetBoard(String),
    /// `edit`: lines of the edit mode follow.
    Edit,
    /// `undo`: one ply back.
    Undo,
    /// `remove`: two plies back.
    Remove,
    /// `result`: the game is over.
    Result,
    /// `draw`: the opponent offers one.
    Draw,
    /// `hint`: what would you play?
    Hint,
    /// `bk`: what does the book say?
    Book,
    /// `hard`: think in the opponent's time.
    Hard,
    /// `easy`: do not.
    Easy,
    /// `post`: show what you think.
    Post,
    /// `nopost`: do not.
    NoPost,
    /// `analyze`.
    Analyze,
    /// `exit`: leave the analysis.
    Exit,
    /// `.`: how far is the analysis?
    Statistics,
    /// `exclude`: these root moves are not analyzed.
    Exclude(RootMoves),
    /// `include`: these are again.
    Include(RootMoves),
    /// `memory N`: use no more MiB than this; 1 at least.
    Memory(u64),
    /// `cores N`: N threads; 1 at least.
    Cores(u64),
    /// `egtpath TYPE PATH`.
    TablebasePath {
        /// What kind of tablebases, such as `syzygy`.
        kind: String,
        /// Where they are.
        path: String,
    },
    /// `savehash FILE`: write what searches have learned to a file.
    SaveHash(String),
    /// `loadhash FILE`: go on with what such a file holds.
    LoadHash(String),
    /// `option NAME=VALUE`, or `option NAME` for a button.
    Option {
        /// The name as announced.
        name: String,
        /// What follows the first `=`.
        value: Option<String>,
    },
}

/// Some of the root moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RootMoves {
    /// All of them.
    All,
    /// These, as sent.
    Some(Vec<String>),
}

/// Why a line is no command. Printed as `Error (reason): line`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CommandError {
    /// No command has this name.
    #[error("unknown command")]
    Unknown,
    /// A word that the command needs is missing.
    #[error("missing argument")]
    MissingArgument,
    /// The arguments are not what the command takes.
    #[error("bad argument")]
    BadArgument,
}

impl Command {
    /// Reads one line. Never panics; line ends, tabs and repeated spaces do not matter.
    ///
    /// # Errors
    /// If it is no command, or one whose arguments cannot be used.
    pub fn parse(line: &str) -> Result<Self, CommandError> {
        let line = line.strip_prefix('\u{feff}').unwrap_or(line);
        let mut words = Words::new(line);
        let Some(first) = words.next() else { return Ok(Self::Ignore) };
        if let Some(command) = plain(first) {
            return Ok(command);
        }
        if let Some(command) = with_number(first, words) {
            return command;
        }
        if let Some(command) = with_text(first, words) {
            return command;
        }
        if is_move(first) {
            return Ok(Self::Move(first.to_owned()));
        }
        Err(CommandError::Unknown)
    }
}

/// Returns `true` if it looks like a move, of chess or of a variant. SAN is only understood after
/// `usermove`.
fn is_move(word: &str) -> bool {
    word.parse::<UciMove>().is_ok()
        || matches!(word, "O-O" | "O-O-O" | "0-0" | "0-0-0")
        || is_drop(word)
        || is_large_move(word)
}

/// `P@e4`, on a board of any size.
fn is_drop(word: &str) -> bool {
    let Some((piece, square)) = word.split_once('@') else { return false };
    let letters = piece.strip_prefix('+').unwrap_or(piece);
    letters.chars().all(|c| c.is_ascii_alphabetic()) && after_square(square) == Some("")
}

/// `h3h10`, `b7b8+` or `a11a12q`: two squares of a board of any size, and what appears there; `=`
/// declines a promotion.
fn is_large_move(word: &str) -> bool {
    let made = after_square(word).and_then(after_square);
    made.is_some_and(|made| {
        let letter = made.strip_prefix('=').unwrap_or(made);
        letter.is_empty() || matches!(letter.as_bytes(), [b'+' | b'a'..=b'z'])
    })
}

/// What follows a square of a board of up to twelve by twelve. Boards of ten rows count from 0.
fn after_square(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(|file| matches!(file, 'a'..='l'))?;
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (rank, rest) = rest.split_at(end);
    let is_rank = rank.parse::<u8>().is_ok_and(|number| number <= 12 && number.to_string() == rank);
    is_rank.then_some(rest)
}

/// Commands without arguments; what follows them does not count.
fn plain(first: &str) -> Option<Command> {
    Some(match first {
        // Of no use to this engine, or of features that it announces not to have.
        "accepted" | "rejected" | "computer" | "name" | "rating" | "ics" | "pause" | "resume"
        | "setscore" | "lift" | "put" | "hover" | "partner" | "ptell" | "holding" => {
            Command::Ignore
        }
        "random" => Command::Random,
        "xboard" => Command::XBoard,
        "uci" => Command::Uci,
        "new" => Command::New,
        "quit" => Command::Quit,
        "force" => Command::Force,
        "go" => Command::Go,
        "playother" => Command::PlayOther,
        "white" => Command::White,
        "black" => Command::Black,
        "?" => Command::MoveNow,
        "edit" => Command::Edit,
        "undo" => Command::Undo,
        "remove" => Command::Remove,
        "result" => Command::Result,
        "draw" => Command::Draw,
        "hint" => Command::Hint,
        "bk" => Command::Book,
        "hard" => Command::Hard,
        "easy" => Command::Easy,
        "post" => Command::Post,
        "nopost" => Command::NoPost,
        "analyze" => Command::Analyze,
        "exit" => Command::Exit,
        "." => Command::Statistics,
        _ => return None,
    })
}

/// Commands whose arguments are numbers.
fn with_number(first: &str, words: Words<'_>) -> Option<Result<Command, CommandError>> {
    let words: Vec<_> = words.collect();
    let number = || words.first().and_then(|word| Number::parse(word));
    let centiseconds = || number().map(|number| number.to_millis().scaled(10, 1));
    let command = match first {
        "protover" => number().map(|number| Command::Protocol(number.to_u32())),
        "level" => Level::parse(&words).map(Command::Level),
        "st" => words.first().and_then(|word| seconds(word)).map(Command::MoveTime),
        "sd" => number().map(|number| Command::Depth(number.to_u32())),
        "nps" => number().map(|number| {
            // Zero asks for CPU time, which the search does not measure; below zero is off.
            Command::NodesPerSecond(Some(number.to_u64()).filter(|nodes| *nodes > 0))
        }),
        "time" => centiseconds().map(Command::Time),
        "otim" => centiseconds().map(Command::OpponentTime),
        "memory" => number().map(|number| Command::Memory(number.to_u64().max(1))),
        "cores" => number().map(|number| Command::Cores(number.to_u64().max(1))),
        _ => return None,
    };
    let missing = words.is_empty();
    Some(command.ok_or(match missing {
        true => CommandError::MissingArgument,
        false => CommandError::BadArgument,
    }))
}

/// Commands whose arguments are text.
fn with_text(first: &str, mut words: Words<'_>) -> Option<Result<Command, CommandError>> {
    let word = |mut words: Words<'_>| words.next().map(str::to_owned);
    let rest = |words: Words<'_>| Some(words.rest().to_owned()).filter(|text| !text.is_empty());
    let command = match first {
        "usermove" => word(words).map(Command::Move),
        "variant" => word(words).map(Command::Variant),
        "ping" => rest(words).map(Command::Ping),
        "setboard" => rest(words).map(Command::SetBoard),
        "savehash" => rest(words).map(Command::SaveHash),
        "loadhash" => rest(words).map(Command::LoadHash),
        "exclude" => root_moves(words).map(Command::Exclude),
        "include" => root_moves(words).map(Command::Include),
        "option" => rest(words).map(option),
        "egtpath" => words.next().map(|kind| Command::TablebasePath {
            kind: kind.to_owned(),
            path: words.rest().to_owned(),
        }),
        _ => return None,
    };
    Some(command.ok_or(CommandError::MissingArgument))
}

fn root_moves(words: Words<'_>) -> Option<RootMoves> {
    let moves: Vec<_> = words.map(str::to_owned).collect();
    match moves.first()?.as_str() {
        "all" => Some(RootMoves::All),
        _ => Some(RootMoves::Some(moves)),
    }
}

fn option(text: String) -> Command {
    match text.split_once('=') {
        Some((name, value)) => Command::Option {
            name: name.trim_ascii().to_owned(),
            value: Some(value.trim_ascii().to_owned()),
        },
        None => Command::Option { name: text, value: None },
    }
}

impl CommandError {
    /// The line for the client: `Error (unknown command): text`.
    #[must_use]
    pub fn about(&self, line: &str) -> String {
        super::Reply::Error(&self.to_string(), line).to_string()
    }
}

/// A line between `edit` and `.`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EditCommand<'a> {
    /// `#`: the board is cleared.
    Clear,
    /// `c`: the pieces that follow belong to the other side.
    OtherColor,
    /// `Pa4`: a piece of the current color, a letter with or without `+` before it, and a square.
    Put(&'a str, &'a str),
    /// `xa4`: the square is emptied.
    Remove(&'a str),
    /// `.`: the end of the edit mode.
    Done,
}

/// The line does not belong to the edit mode of the game. The board stays as it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("not a line of the edit mode")]
pub struct EditError;

impl<'a> EditCommand<'a> {
    /// Reads a line of any game; white space around it does not count.
    ///
    /// # Errors
    /// If it is not one of the five.
    pub fn parse(line: &'a str) -> Result<Self, EditError> {
        let text = line.trim();
        match text {
            "#" => return Ok(Self::Clear),
            "c" => return Ok(Self::OtherColor),
            "." => return Ok(Self::Done),
            _ => {}
        }
        let plus = text.len() - text.trim_start_matches('+').len();
        let letter = text[plus..].chars().next().filter(char::is_ascii_alphabetic);
        let (piece, square) = text.split_at(plus + usize::from(letter.is_some()));
        let is_square = square.starts_with(|c: char| c.is_ascii_alphabetic())
            && square.len() > 1
            && square[1..].bytes().all(|byte| byte.is_ascii_digit());
        match piece {
            _ if letter.is_none() || !is_square => Err(EditError),
            "x" | "X" => Ok(Self::Remove(square)),
            _ => Ok(Self::Put(piece, square)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::EditCommand;

    #[test]
    fn the_five_lines_are_read_and_nothing_else() {
        assert_eq!(EditCommand::parse("#\r"), Ok(EditCommand::Clear));
        assert_eq!(EditCommand::parse(" c "), Ok(EditCommand::OtherColor));
        assert_eq!(EditCommand::parse("."), Ok(EditCommand::Done));
        assert_eq!(EditCommand::parse("Pa4"), Ok(EditCommand::Put("P", "a4")));
        assert_eq!(EditCommand::parse("+Rj10"), Ok(EditCommand::Put("+R", "j10")));
        assert_eq!(EditCommand::parse("xh8"), Ok(EditCommand::Remove("h8")));
        for text in ["", "+", "Pa", "P4", "quit", "♙a4", "Pé4", "++"] {
            assert!(EditCommand::parse(text).is_err(), "{text:?}");
        }
    }
}
