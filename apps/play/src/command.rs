//! What a player may type besides moves.

use tamarin_movegen::PerColor;

use tamarin_game::chess960::POSITIONS;
use tamarin_game::level::{Level, LevelError};

/// Something a player wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// A move, or what was meant as one.
    Move(String),
    Help(Option<String>),
    /// Legal moves, or those from one square.
    Legal(Option<String>),
    /// Takes moves back; without a number until it is the player's turn again.
    Undo(Option<usize>),
    /// Plays moves again that were taken back.
    Redo(Option<usize>),
    Hint,
    Why(Option<String>),
    Eval,
    Draw,
    Decline,
    Claim(Option<String>),
    Resign,
    Save(String),
    /// Reads a game: the file, and which of its games.
    Load(String, usize),
    New,
    /// A new game of Chess960, with the position of this number or any.
    Chess960(Option<u16>),
    /// Another position: a FEN or changes of the board.
    Setup(String),
    Board,
    Flip,
    Moves,
    Fen,
    Pgn,
    Svg(String),
    Level(Level),
    Side(Side),
    Bar(Option<Switch>),
    Threats(Option<Switch>),
    Hints(Option<Switch>),
    Analyse(Option<Switch>),
    Thoughts(Option<Switch>),
    Time,
    Opening,
    Theme(Option<String>),
    Pieces(Option<String>),
    Look(Look),
    Now,
    Pause,
    Next,
    Solution,
    Quit,
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switch {
    On,
    Off,
}

/// Which sides people play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
    /// White or Black, by chance.
    Random,
    /// Both: people against each other.
    Both,
    /// Neither: the engine against itself.
    None,
}

impl Side {
    /// The colors of people; `None` if chance decides.
    pub const fn people(self) -> Option<PerColor<bool>> {
        match self {
            Self::White => Some(PerColor([true, false])),
            Self::Black => Some(PerColor([false, true])),
            Self::Both => Some(PerColor([true, true])),
            Self::None => Some(PerColor([false, false])),
            Self::Random => None,
        }
    }
}

/// Which position of the game to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    First,
    Back,
    Forward,
    Last,
    /// After this number of plies.
    Ply(usize),
}

/// Why a command cannot be carried out as it stands.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CommandError {
    #[error("{0}: say {1}")]
    Missing(&'static str, &'static str),
    #[error("{0}: {1:?} is not {2}")]
    Wrong(&'static str, String, &'static str),
    #[error("{0} is only there in chess; say help for what there is")]
    ChessOnly(&'static str),
    /// The level does not exist.
    #[error(transparent)]
    Level(#[from] LevelError),
}

/// What follows a command.
struct Operands<'a> {
    /// The name of the command.
    name: &'static str,
    text: &'a str,
}

impl Operands<'_> {
    fn optional(&self) -> Option<String> {
        (!self.text.is_empty()).then(|| self.text.to_owned())
    }

    fn needed(&self, what: &'static str) -> Result<String, CommandError> {
        self.optional().ok_or(CommandError::Missing(self.name, what))
    }

    fn wrong(&self, what: &'static str) -> CommandError {
        CommandError::Wrong(self.name, clip(self.text), what)
    }

    /// A number of plies.
    fn count(&self) -> Result<Option<usize>, CommandError> {
        let number = || self.text.parse().ok().filter(|count| *count > 0);
        if self.text.is_empty() {
            return Ok(None);
        }
        number().map(Some).ok_or_else(|| self.wrong("a number of plies"))
    }

    fn switch(&self) -> Result<Option<Switch>, CommandError> {
        match self.text.to_lowercase().as_str() {
            "" => Ok(None),
            "on" => Ok(Some(Switch::On)),
            "off" => Ok(Some(Switch::Off)),
            _ => Err(self.wrong("on or off")),
        }
    }

    fn side(&self) -> Result<Side, CommandError> {
        const SIDES: &str = "white, black, random, both or none";
        Ok(match self.needed(SIDES)?.to_lowercase().as_str() {
            "white" | "w" => Side::White,
            "black" | "b" => Side::Black,
            "random" => Side::Random,
            "both" => Side::Both,
            "none" => Side::None,
            _ => return Err(self.wrong(SIDES)),
        })
    }

    fn look(&self) -> Result<Look, CommandError> {
        const PLACES: &str = "first, back, forward, last or a number of plies";
        Ok(match self.needed(PLACES)?.to_lowercase().as_str() {
            "first" => Look::First,
            "back" => Look::Back,
            "forward" => Look::Forward,
            "last" => Look::Last,
            other => Look::Ply(other.parse().map_err(|_| self.wrong("a number of plies"))?),
        })
    }

    fn number(&self) -> Result<Option<u16>, CommandError> {
        if self.text.is_empty() {
            return Ok(None);
        }
        let number = self.text.parse().ok().filter(|number| *number < POSITIONS);
        number.map(Some).ok_or_else(|| self.wrong("a number from 0 to 959"))
    }
}

type Read = fn(&Operands<'_>) -> Result<Command, CommandError>;

/// A command as help shows it.
pub struct Entry {
    /// Its names, the usual one first.
    pub names: &'static [&'static str],
    /// What may follow it.
    pub operands: &'static str,
    /// What it does.
    pub meaning: &'static str,
    /// There is no such command in variants.
    pub is_chess_only: bool,
    read: Read,
}

const fn entry(
    names: &'static [&'static str],
    operands: &'static str,
    meaning: &'static str,
    read: Read,
) -> Entry {
    Entry { names, operands, meaning, is_chess_only: false, read }
}

/// A command that there is in chess alone.
const fn chess(
    names: &'static [&'static str],
    operands: &'static str,
    meaning: &'static str,
    read: Read,
) -> Entry {
    Entry { is_chess_only: true, ..entry(names, operands, meaning, read) }
}

/// All commands, in the order in which help lists them.
pub const COMMANDS: &[Entry] = &[
    entry(&["help", "?", "h"], "[COMMAND]", "this list, or one command of it", |o| {
        Ok(Command::Help(o.optional()))
    }),
    entry(&["legal", "l"], "[SQUARE]", "the legal moves, or those of one piece", |o| {
        Ok(Command::Legal(o.optional()))
    }),
    entry(&["undo", "u", "takeback"], "[PLIES]", "take your last move back, or N plies", |o| {
        o.count().map(Command::Undo)
    }),
    entry(&["redo", "r"], "[PLIES]", "play again what was taken back", |o| {
        o.count().map(Command::Redo)
    }),
    entry(&["hint"], "", "a good move; in a puzzle a little more each time", |_| Ok(Command::Hint)),
    chess(
        &["why"],
        "[MOVE]",
        "why the last move, or another one, is good or bad, with lines",
        |o| Ok(Command::Why(o.optional())),
    ),
    entry(&["eval"], "", "what the position is worth, term by term; for moves see why", |_| {
        Ok(Command::Eval)
    }),
    chess(&["bar"], "[on|off]", "show the evaluation bar", |o| o.switch().map(Command::Bar)),
    entry(&["analyse", "analyze"], "[on|off]", "show the best lines", |o| {
        o.switch().map(Command::Analyse)
    }),
    chess(&["threats"], "[on|off]", "name what the opponent threatens", |o| {
        o.switch().map(Command::Threats)
    }),
    entry(&["hints"], "[on|off]", "a hint at each of your turns", |o| {
        o.switch().map(Command::Hints)
    }),
    entry(&["thoughts"], "[on|off]", "show the moves that the engine considers", |o| {
        o.switch().map(Command::Thoughts)
    }),
    entry(&["time", "clock"], "", "the clocks, and the time of the game", |_| Ok(Command::Time)),
    chess(&["opening"], "", "the name of the opening", |_| Ok(Command::Opening)),
    entry(&["draw", "offer", "accept"], "", "offer a draw, or accept one", |_| Ok(Command::Draw)),
    entry(&["decline"], "", "decline a draw", |_| Ok(Command::Decline)),
    chess(&["claim"], "[MOVE]", "claim a draw by repetition or the fifty-move rule", |o| {
        Ok(Command::Claim(o.optional()))
    }),
    entry(&["resign"], "", "give up", |_| Ok(Command::Resign)),
    entry(&["now", "stop"], "", "the engine moves at once", |_| Ok(Command::Now)),
    entry(&["pause"], "", "stop the clocks and the engine; again: go on", |_| Ok(Command::Pause)),
    entry(
        &["level"],
        "LEVEL",
        "1 to 20, easy, medium or hard; in chess also a rating from 500 to 3190",
        |o| Ok(Command::Level(o.needed("which")?.parse()?)),
    ),
    entry(&["side"], "SIDE", "play white, black, both or none (the engine alone)", |o| {
        o.side().map(Command::Side)
    }),
    entry(&["new"], "", "a new game", |_| Ok(Command::New)),
    chess(&["chess960"], "[N]", "a new game of Chess960, with position N or any", |o| {
        o.number().map(Command::Chess960)
    }),
    entry(
        &["setup"],
        "POSITION",
        "a FEN; in chess also start, clear, +Nf3, -e2, white, black, castling",
        |o| o.needed("a FEN or changes of the board").map(Command::Setup),
    ),
    entry(&["load"], "FILE [N]", "go on with the first or Nth game of a PGN file", |o| {
        o.needed("which file").map(|text| load(&text))
    }),
    entry(&["save"], "FILE", "write the game as PGN", |o| {
        o.needed("the file").map(|path| Command::Save(unquoted(&path)))
    }),
    entry(&["svg"], "FILE", "write a picture of the board", |o| {
        o.needed("the file").map(|path| Command::Svg(unquoted(&path)))
    }),
    entry(&["moves", "history"], "", "the moves so far", |_| Ok(Command::Moves)),
    entry(&["fen"], "", "the position as FEN", |_| Ok(Command::Fen)),
    entry(&["pgn"], "", "the game as PGN", |_| Ok(Command::Pgn)),
    entry(&["board", "show", "d"], "", "draw the board", |_| Ok(Command::Board)),
    entry(&["flip"], "", "turn the board", |_| Ok(Command::Flip)),
    entry(&["theme"], "[NAME]", "colors: wood, green, blue, gray, contrast", |o| {
        Ok(Command::Theme(o.optional()))
    }),
    chess(&["pieces"], "[NAME]", "unicode, ascii or blocks", |o| Ok(Command::Pieces(o.optional()))),
    entry(
        &["look"],
        "PLY",
        "look at another position: first, back, forward, last or a number",
        |o| o.look().map(Command::Look),
    ),
    chess(&["next", "skip"], "", "the next puzzle", |_| Ok(Command::Next)),
    chess(&["solution", "solve"], "", "the solution of the puzzle", |_| Ok(Command::Solution)),
    entry(&["quit", "q", "exit"], "", "leave; an unfinished game is kept for --resume", |_| {
        Ok(Command::Quit)
    }),
];

/// The commands that there are in chess, or in variants.
pub fn offered(is_chess: bool) -> impl Iterator<Item = &'static Entry> {
    COMMANDS.iter().filter(move |entry| is_chess || !entry.is_chess_only)
}

/// The entry with this name.
pub fn find(name: &str) -> Option<&'static Entry> {
    let name = name.to_lowercase();
    COMMANDS.iter().find(|entry| entry.names.contains(&name.as_str()))
}

/// The usual name of a command that begins with what was typed, if no other does.
fn abbreviated(typed: &str) -> Option<&'static Entry> {
    // Shorter ones are files or pieces.
    if typed.len() < 3 {
        return None;
    }
    let mut found = COMMANDS.iter().filter(|entry| {
        entry.names.iter().any(|name| name.starts_with(typed) && name.len() > typed.len())
    });
    found.next().filter(|_| found.next().is_none())
}

impl Command {
    /// Reads what was typed. What is no command is taken for a move.
    pub fn parse(text: &str, is_chess: bool) -> Result<Self, CommandError> {
        let text = text.trim();
        let text = text.strip_prefix([':', '/']).unwrap_or(text);
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let lower = word.to_lowercase();
        let Some(entry) = find(&lower).or_else(|| abbreviated(&lower)) else {
            return Ok(Self::Move(text.to_owned()));
        };
        if entry.is_chess_only && !is_chess {
            return Err(CommandError::ChessOnly(entry.names[0]));
        }
        (entry.read)(&Operands { name: entry.names[0], text: rest.trim() })
    }
}

/// A number at the end of the text says which game, unless there is nothing else.
fn load(text: &str) -> Command {
    let numbered = text.rsplit_once(char::is_whitespace).and_then(|(path, number)| {
        let number = number.parse().ok().filter(|number| *number > 0)?;
        Some((path.trim_end().to_owned(), number))
    });
    let (path, number) = numbered.unwrap_or((text.to_owned(), 1));
    Command::Load(unquoted(&path), number)
}

/// A path without the quotation marks around it, which shells ask for.
fn unquoted(path: &str) -> String {
    let inside = path.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside.filter(|inside| !inside.is_empty()).unwrap_or(path).to_owned()
}

/// Short enough to repeat in a message.
fn clip(text: &str) -> String {
    text.chars().take(24).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{COMMANDS, Command, Look, Side, Switch};

    fn parse(text: &str) -> Command {
        Command::parse(text, true).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn reads_names_abbreviations_and_operands() {
        assert_eq!(parse(" UNDO  3 "), Command::Undo(Some(3)));
        assert_eq!(parse("u"), Command::Undo(None));
        assert_eq!(parse("take"), Command::Undo(None));
        assert_eq!(parse(":quit"), Command::Quit);
        assert_eq!(parse("?"), Command::Help(None));
        assert_eq!(parse("l E2"), Command::Legal(Some("E2".into())));
        assert_eq!(parse("side none"), Command::Side(Side::None));
        assert_eq!(parse("bar off"), Command::Bar(Some(Switch::Off)));
        assert_eq!(parse("look 12"), Command::Look(Look::Ply(12)));
        assert_eq!(parse("load my games.pgn 2"), Command::Load("my games.pgn".into(), 2));
        assert_eq!(parse("load 2"), Command::Load("2".into(), 1));
        assert_eq!(parse("load \"my games.pgn\" 2"), Command::Load("my games.pgn".into(), 2));
        assert_eq!(parse("save \"my game.pgn\""), Command::Save("my game.pgn".into()));
        assert_eq!(parse("svg \""), Command::Svg("\"".into()));
        assert_eq!(parse("why Nf3"), Command::Why(Some("Nf3".into())));
        assert_eq!(parse("chess960 518"), Command::Chess960(Some(518)));
    }

    #[test]
    fn takes_other_words_for_moves() {
        for text in ["e4", "nf3", "b4", "d4", "O-O", "e2 e4", "xyz", "d5", "hxg3", "r1e1", "bc"] {
            assert_eq!(parse(text), Command::Move(text.into()), "{text}");
        }
    }

    #[test]
    fn rejects_wrong_operands_and_chess_commands_in_variants() {
        let wrong = [
            ("undo 0", "undo: \"0\" is not a number of plies"),
            ("save", "save: say the file"),
            ("side", "side: say white, black, random, both or none"),
            ("chess960 960", "chess960: \"960\" is not a number from 0 to 959"),
            (
                "level 99",
                "\"99\" is no level: give 1 to 20, a rating from 500 to 3190, easy, medium or hard",
            ),
            ("why", "why is only there in chess; say help for what there is"),
        ];
        for (text, message) in wrong {
            assert_eq!(Command::parse(text, text != "why").unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names = HashSet::new();
        assert!(COMMANDS.iter().flat_map(|entry| entry.names).all(|name| names.insert(name)));
    }
}
