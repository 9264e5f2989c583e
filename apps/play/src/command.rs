//! What a player may type besides moves.

use tamarin_movegen::{PerColor, Square};

use tamarin_game::level::{Level, LevelError};

/// Something a player wants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// A move, or what was meant as one.
    Move(String),
    /// The list of commands, or help with one of them.
    Help(Option<String>),
    /// Legal moves, or those from one square.
    Legal(Option<Square>),
    /// Takes moves back; without a number until it is the player's turn again.
    Undo(Option<usize>),
    /// Plays moves again that were taken back.
    Redo(Option<usize>),
    /// A good move.
    Hint,
    /// What speaks for the last move, or for this one.
    Why(Option<String>),
    /// What the position is worth.
    Eval,
    /// Offers a draw, or accepts one that is offered.
    Draw,
    /// Does not want the draw that is offered.
    Decline,
    /// Claims a draw, perhaps with a move.
    Claim(Option<String>),
    /// Gives up.
    Resign,
    /// Writes the game to a file.
    Save(String),
    /// Reads a game: the file, and which of its games.
    Load(String, usize),
    /// A new game with the same players.
    New,
    /// Another position: a FEN or changes of the board.
    Setup(String),
    /// Draws the board.
    Board,
    /// Turns the board.
    Flip,
    /// The moves so far.
    Moves,
    /// The position as FEN.
    Fen,
    /// The game as PGN.
    Pgn,
    /// Writes a picture of the board.
    Svg(String),
    /// Another level of the engine.
    Level(Level),
    /// Other sides for the player.
    Side(Side),
    /// Shows or hides the evaluation bar.
    Bar(Option<Switch>),
    /// Names threats, or no more.
    Threats(Option<Switch>),
    /// Begins each turn with a hint, or no more.
    Hints(Option<Switch>),
    /// Shows the best lines, or no more.
    Analyse(Option<Switch>),
    /// Shows what the engine considers, or no more.
    Thoughts(Option<Switch>),
    /// The clocks and the time of the game.
    Time,
    /// The name of the opening.
    Opening,
    /// Other colors.
    Theme(Option<String>),
    /// Other pieces.
    Pieces(Option<String>),
    /// Looks at another position of the game.
    Look(Look),
    /// The engine shall move at once.
    Now,
    /// Stops the clocks and the engine, or lets them go on.
    Pause,
    /// The next puzzle.
    Next,
    /// The solution of the puzzle.
    Solution,
    /// The end.
    Quit,
}

/// On or off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switch {
    /// On.
    On,
    /// Off.
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
    /// The first.
    First,
    /// One earlier.
    Back,
    /// One later.
    Forward,
    /// The present one.
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
    /// The level does not exist.
    #[error(transparent)]
    Level(#[from] LevelError),
}

/// Which command a word names, without what follows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Keyword {
    Help,
    Legal,
    Undo,
    Redo,
    Hint,
    Why,
    Eval,
    Bar,
    Threats,
    Hints,
    Analyse,
    Thoughts,
    Time,
    Opening,
    Draw,
    Decline,
    Claim,
    Resign,
    Now,
    Pause,
    Level,
    Side,
    New,
    Setup,
    Load,
    Save,
    Svg,
    Moves,
    Fen,
    Pgn,
    Board,
    Flip,
    Theme,
    Pieces,
    Look,
    Next,
    Solution,
    Quit,
}

/// A command as help shows it.
pub struct Entry {
    /// What it is read as.
    pub(super) keyword: Keyword,
    /// Its names, the usual one first.
    pub names: &'static [&'static str],
    /// What may follow it.
    pub operands: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

const fn entry(
    keyword: Keyword,
    names: &'static [&'static str],
    operands: &'static str,
    meaning: &'static str,
) -> Entry {
    Entry { keyword, names, operands, meaning }
}

/// All commands, in the order in which help lists them.
pub const COMMANDS: &[Entry] = &[
    entry(Keyword::Help, &["help", "?", "h"], "[COMMAND]", "this list, or one command of it"),
    entry(Keyword::Legal, &["legal", "l"], "[SQUARE]", "the legal moves, or those of one piece"),
    entry(
        Keyword::Undo,
        &["undo", "u", "takeback"],
        "[PLIES]",
        "take your last move back, or N plies",
    ),
    entry(Keyword::Redo, &["redo", "r"], "[PLIES]", "play again what was taken back"),
    entry(Keyword::Hint, &["hint"], "", "a good move; in a puzzle a little more each time"),
    entry(
        Keyword::Why,
        &["why"],
        "[MOVE]",
        "why the last move, or another one, is good or bad, with lines",
    ),
    entry(
        Keyword::Eval,
        &["eval"],
        "",
        "what the position is worth, term by term; for moves see why",
    ),
    entry(Keyword::Bar, &["bar"], "[on|off]", "show the evaluation bar"),
    entry(Keyword::Analyse, &["analyse", "analyze"], "[on|off]", "show the best lines"),
    entry(Keyword::Threats, &["threats"], "[on|off]", "name what the opponent threatens"),
    entry(Keyword::Hints, &["hints"], "[on|off]", "a hint at each of your turns"),
    entry(Keyword::Thoughts, &["thoughts"], "[on|off]", "show the moves that the engine considers"),
    entry(Keyword::Time, &["time", "clock"], "", "the clocks, and the time of the game"),
    entry(Keyword::Opening, &["opening"], "", "the name of the opening"),
    entry(Keyword::Draw, &["draw", "offer", "accept"], "", "offer a draw, or accept one"),
    entry(Keyword::Decline, &["decline"], "", "decline a draw"),
    entry(
        Keyword::Claim,
        &["claim"],
        "[MOVE]",
        "claim a draw by repetition or the fifty-move rule",
    ),
    entry(Keyword::Resign, &["resign"], "", "give up"),
    entry(Keyword::Now, &["now", "stop"], "", "the engine moves at once"),
    entry(Keyword::Pause, &["pause"], "", "stop the clocks and the engine; again: go on"),
    entry(
        Keyword::Level,
        &["level"],
        "LEVEL",
        "1 to 20, a rating from 500 to 3190, easy, medium or hard",
    ),
    entry(Keyword::Side, &["side"], "SIDE", "play white, black, both or none (the engine alone)"),
    entry(Keyword::New, &["new"], "", "a new game"),
    entry(
        Keyword::Setup,
        &["setup"],
        "POSITION",
        "a FEN; or start, clear, +Nf3, -e2, white, black, castling",
    ),
    entry(Keyword::Load, &["load"], "FILE [N]", "go on with the first or Nth game of a PGN file"),
    entry(Keyword::Save, &["save"], "FILE", "write the game as PGN"),
    entry(Keyword::Svg, &["svg"], "FILE", "write a picture of the board"),
    entry(Keyword::Moves, &["moves", "history"], "", "the moves so far"),
    entry(Keyword::Fen, &["fen"], "", "the position as FEN"),
    entry(Keyword::Pgn, &["pgn"], "", "the game as PGN"),
    entry(Keyword::Board, &["board", "show", "d"], "", "draw the board"),
    entry(Keyword::Flip, &["flip"], "", "turn the board"),
    entry(Keyword::Theme, &["theme"], "[NAME]", "colors: wood, green, blue, gray, contrast"),
    entry(Keyword::Pieces, &["pieces"], "[NAME]", "unicode, ascii or blocks"),
    entry(
        Keyword::Look,
        &["look"],
        "PLY",
        "look at another position: first, back, forward, last or a number",
    ),
    entry(Keyword::Next, &["next", "skip"], "", "the next puzzle"),
    entry(Keyword::Solution, &["solution", "solve"], "", "the solution of the puzzle"),
    entry(
        Keyword::Quit,
        &["quit", "q", "exit"],
        "",
        "leave; an unfinished game is kept for --resume",
    ),
];

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
    pub fn parse(text: &str) -> Result<Self, CommandError> {
        let text = text.trim();
        let text = text.strip_prefix([':', '/']).unwrap_or(text);
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let lower = word.to_lowercase();
        let Some(entry) = find(&lower).or_else(|| abbreviated(&lower)) else {
            return Ok(Self::Move(text.to_owned()));
        };
        read(entry, rest.trim())
    }
}

/// Reads what follows a command. Every keyword has an arm of its own: a command that is listed
/// but not read does not compile.
fn read(entry: &Entry, rest: &str) -> Result<Command, CommandError> {
    let name = entry.names[0];
    let text = || (!rest.is_empty()).then(|| rest.to_owned());
    let needed = |what| text().ok_or(CommandError::Missing(name, what));
    let count = || match rest {
        "" => Ok(None),
        _ => match rest.parse() {
            Ok(0) | Err(_) => Err(CommandError::Wrong(name, clip(rest), "a number of plies")),
            Ok(count) => Ok(Some(count)),
        },
    };
    Ok(match entry.keyword {
        Keyword::Help => Command::Help(text()),
        Keyword::Legal => Command::Legal(match rest {
            "" => None,
            _ => Some(
                rest.to_lowercase()
                    .parse()
                    .map_err(|_| CommandError::Wrong(name, clip(rest), "a square"))?,
            ),
        }),
        Keyword::Undo => Command::Undo(count()?),
        Keyword::Redo => Command::Redo(count()?),
        Keyword::Hint => Command::Hint,
        Keyword::Why => Command::Why(text()),
        Keyword::Eval => Command::Eval,
        Keyword::Bar => Command::Bar(switch(name, rest)?),
        Keyword::Threats => Command::Threats(switch(name, rest)?),
        Keyword::Hints => Command::Hints(switch(name, rest)?),
        Keyword::Analyse => Command::Analyse(switch(name, rest)?),
        Keyword::Thoughts => Command::Thoughts(switch(name, rest)?),
        Keyword::Time => Command::Time,
        Keyword::Opening => Command::Opening,
        Keyword::Draw => Command::Draw,
        Keyword::Decline => Command::Decline,
        Keyword::Claim => Command::Claim(text()),
        Keyword::Resign => Command::Resign,
        Keyword::Now => Command::Now,
        Keyword::Pause => Command::Pause,
        Keyword::Level => Command::Level(needed("which")?.parse()?),
        Keyword::Side => Command::Side(side(name, rest)?),
        Keyword::New => Command::New,
        Keyword::Setup => Command::Setup(needed("a FEN or changes of the board")?),
        Keyword::Load => load(&needed("which file")?),
        Keyword::Save => Command::Save(unquoted(&needed("the file")?)),
        Keyword::Svg => Command::Svg(unquoted(&needed("the file")?)),
        Keyword::Moves => Command::Moves,
        Keyword::Fen => Command::Fen,
        Keyword::Pgn => Command::Pgn,
        Keyword::Board => Command::Board,
        Keyword::Flip => Command::Flip,
        Keyword::Theme => Command::Theme(text()),
        Keyword::Pieces => Command::Pieces(text()),
        Keyword::Look => Command::Look(look(name, rest)?),
        Keyword::Next => Command::Next,
        Keyword::Solution => Command::Solution,
        Keyword::Quit => Command::Quit,
    })
}

fn switch(name: &'static str, text: &str) -> Result<Option<Switch>, CommandError> {
    match text.to_lowercase().as_str() {
        "" => Ok(None),
        "on" => Ok(Some(Switch::On)),
        "off" => Ok(Some(Switch::Off)),
        _ => Err(CommandError::Wrong(name, clip(text), "on or off")),
    }
}

fn side(name: &'static str, text: &str) -> Result<Side, CommandError> {
    match text.to_lowercase().as_str() {
        "" => Err(CommandError::Missing(name, "white, black, random, both or none")),
        "white" | "w" => Ok(Side::White),
        "black" | "b" => Ok(Side::Black),
        "random" => Ok(Side::Random),
        "both" => Ok(Side::Both),
        "none" => Ok(Side::None),
        _ => Err(CommandError::Wrong(name, clip(text), "white, black, random, both or none")),
    }
}

fn look(name: &'static str, text: &str) -> Result<Look, CommandError> {
    match text.to_lowercase().as_str() {
        "" => Err(CommandError::Missing(name, "first, back, forward, last or a number of plies")),
        "first" => Ok(Look::First),
        "back" => Ok(Look::Back),
        "forward" => Ok(Look::Forward),
        "last" => Ok(Look::Last),
        other => match other.parse() {
            Ok(ply) => Ok(Look::Ply(ply)),
            Err(_) => Err(CommandError::Wrong(name, clip(text), "a number of plies")),
        },
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
    use std::mem::discriminant;

    use super::{COMMANDS, Command, Look, Side, Switch};
    use tamarin_movegen::Square;

    fn parse(text: &str) -> Command {
        Command::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn commands_are_found_by_all_their_names() {
        assert_eq!(parse("undo"), Command::Undo(None));
        assert_eq!(parse(" UNDO  3 "), Command::Undo(Some(3)));
        assert_eq!(parse("u"), Command::Undo(None));
        assert_eq!(parse("take"), Command::Undo(None));
        assert_eq!(parse(":quit"), Command::Quit);
        assert_eq!(parse("?"), Command::Help(None));
        assert_eq!(parse("l E2"), Command::Legal(Some(Square::E2)));
        assert_eq!(parse("side none"), Command::Side(Side::None));
        assert_eq!(parse("bar off"), Command::Bar(Some(Switch::Off)));
        assert_eq!(parse("look 12"), Command::Look(Look::Ply(12)));
        assert_eq!(parse("load my games.pgn 2"), Command::Load("my games.pgn".into(), 2));
        assert_eq!(parse("load 2"), Command::Load("2".into(), 1));
        assert_eq!(parse("load \"my games.pgn\" 2"), Command::Load("my games.pgn".into(), 2));
        assert_eq!(parse("save \"my game.pgn\""), Command::Save("my game.pgn".into()));
        assert_eq!(parse("svg \""), Command::Svg("\"".into()));
        assert_eq!(parse("why Nf3"), Command::Why(Some("Nf3".into())));
    }

    #[test]
    fn what_is_no_command_is_a_move() {
        for text in
            ["e4", "Nf3", "nf3", "b4", "d4", "O-O", "e2 e4", "xyz", "d5", "hxg3", "r1e1", "bc"]
        {
            assert_eq!(parse(text), Command::Move(text.into()), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = [
            ("undo x", "undo: \"x\" is not a number of plies"),
            ("undo 0", "undo: \"0\" is not a number of plies"),
            ("legal z9", "legal: \"z9\" is not a square"),
            ("save", "save: say the file"),
            ("side", "side: say white, black, random, both or none"),
            ("bar maybe", "bar: \"maybe\" is not on or off"),
            (
                "level 99",
                "\"99\" is no level: give 1 to 20, a rating from 500 to 3190, easy, medium or hard",
            ),
        ];
        for (text, message) in wrong {
            assert_eq!(Command::parse(text).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn every_listed_command_is_read_as_itself_and_no_name_stands_for_two() {
        let mut kinds = HashSet::new();
        let mut names = HashSet::new();
        for entry in COMMANDS {
            let kind = discriminant(&parse_any(entry.names[0]));
            assert!(kinds.insert(kind), "{} is read as another command", entry.names[0]);
            for name in entry.names {
                assert_eq!(discriminant(&parse_any(name)), kind, "{name}");
                assert!(names.insert(name), "{name} stands for two commands");
            }
        }
        assert!(!kinds.contains(&discriminant(&Command::Move(String::new()))));
    }

    /// The command with operands that suit it.
    fn parse_any(name: &str) -> Command {
        ["", "3", "white", "first", "start"]
            .into_iter()
            .find_map(|rest| Command::parse(&format!("{name} {rest}")).ok())
            .unwrap_or_else(|| panic!("{name} takes nothing"))
    }
}
