//! What a player may type besides moves.

use clap::ValueEnum;
use tamarin_game::chess960::POSITIONS;
use tamarin_game::level::LevelError;
use tamarin_game::moves;
use tamarin_game::position::{Position, clip};
use tamarin_movegen::PerColor;

use super::Session;
use crate::players::EngineError;

/// Which sides people play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Side {
    /// White.
    #[value(alias = "w")]
    White,
    /// Black.
    #[value(alias = "b")]
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

/// Why a command is not carried out.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The player is told why, and the game goes on.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Level(#[from] LevelError),
    /// The session ends.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// What a command came to.
pub type Done = Result<(), CommandError>;

/// The player is told why a command is not carried out.
pub fn refused<T>(why: impl Into<String>) -> Result<T, CommandError> {
    Err(CommandError::Refused(why.into()))
}

/// What follows a command.
pub struct Operands<'a> {
    /// The name of the command.
    name: &'static str,
    text: &'a str,
}

impl Operands<'_> {
    fn optional(&self) -> Option<&str> {
        Some(self.text).filter(|text| !text.is_empty())
    }

    fn needed(&self, what: &str) -> Result<&str, CommandError> {
        self.optional().map_or_else(|| refused(format!("{}: say {what}", self.name)), Ok)
    }

    fn wrong<T>(&self, what: &str) -> Result<T, CommandError> {
        refused(format!("{}: {:?} is not {what}", self.name, clip(self.text)))
    }

    /// A number, if there is anything.
    fn number<T: std::str::FromStr>(
        &self,
        what: &str,
        is_right: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, CommandError> {
        match self.optional().map(str::parse) {
            None => Ok(None),
            Some(Ok(number)) if is_right(&number) => Ok(Some(number)),
            Some(_) => self.wrong(what),
        }
    }

    /// A number of plies.
    fn count(&self) -> Result<Option<usize>, CommandError> {
        self.number("a number of plies", |count| *count > 0)
    }

    /// Turns something on or off; without a word the other way.
    fn switch(&self, is_on: bool) -> Result<bool, CommandError> {
        match self.text.to_lowercase().as_str() {
            "" => Ok(!is_on),
            "on" => Ok(true),
            "off" => Ok(false),
            _ => self.wrong("on or off"),
        }
    }

    fn side(&self) -> Result<Side, CommandError> {
        const SIDES: &str = "white, black, random, both or none";
        Side::from_str(self.needed(SIDES)?, true).or_else(|_| self.wrong(SIDES))
    }

    /// A number of plies, of `last` in all, or where to go from `now`.
    fn look(&self, now: usize, last: usize) -> Result<usize, CommandError> {
        const PLACES: &str = "first, back, forward, last or a number of plies";
        Ok(match self.needed(PLACES)?.to_lowercase().as_str() {
            "first" => 0,
            "back" => now.saturating_sub(1),
            "forward" => now + 1,
            "last" => last,
            other => match other.parse() {
                Ok(plies) => plies,
                Err(_) => return self.wrong("a number of plies"),
            },
        })
    }

    /// The path of a file. Without the quotation marks around it, which shells ask for.
    fn path(&self) -> Result<&str, CommandError> {
        self.needed("the file").map(unquoted)
    }

    /// A path and a number, which says which game of the file, unless there is nothing else.
    fn game(&self) -> Result<(&str, usize), CommandError> {
        let text = self.needed("which file")?;
        let numbered = text.rsplit_once(char::is_whitespace).and_then(|(path, number)| {
            let number = number.parse().ok().filter(|number| *number > 0)?;
            Some((path.trim_end(), number))
        });
        let (path, number) = numbered.unwrap_or((text, 1));
        Ok((unquoted(path), number))
    }
}

fn unquoted(path: &str) -> &str {
    let inside = path.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inside.filter(|inside| !inside.is_empty()).unwrap_or(path)
}

type Run = fn(&mut Session, &Operands<'_>) -> Done;

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
    run: Run,
}

const fn entry(
    names: &'static [&'static str],
    operands: &'static str,
    meaning: &'static str,
    run: Run,
) -> Entry {
    Entry { names, operands, meaning, is_chess_only: false, run }
}

/// A command that there is in chess alone.
const fn chess(
    names: &'static [&'static str],
    operands: &'static str,
    meaning: &'static str,
    run: Run,
) -> Entry {
    Entry { is_chess_only: true, ..entry(names, operands, meaning, run) }
}

/// All commands, in the order in which help lists them.
const COMMANDS: &[Entry] = &[
    entry(&["help", "?", "h"], "[COMMAND]", "this list, or one command of it", |s, o| {
        s.show_help(o.optional())
    }),
    entry(&["legal", "l"], "[SQUARE]", "the legal moves, or those of one piece", |s, o| {
        s.legal(o.optional())
    }),
    chess(&["rules"], "", "the rules of chess in short", |s, _| {
        s.say_all(include_str!("rules.txt").lines().map(str::to_owned))
    }),
    entry(&["undo", "u", "takeback"], "[PLIES]", "take your last move back, or N plies", |s, o| {
        s.undo(o.count()?)
    }),
    entry(&["redo", "r"], "[PLIES]", "play again what was taken back", |s, o| s.redo(o.count()?)),
    entry(&["hint"], "", "a good move; in a puzzle a little more each time", |s, _| s.hint()),
    chess(
        &["why"],
        "[MOVE]",
        "why the last move, or another one, is good or bad, with lines",
        |s, o| s.why(o.optional()),
    ),
    entry(&["eval"], "", "what the position is worth, term by term; for moves see why", |s, _| {
        s.say_all(s.evaluation())
    }),
    chess(&["bar"], "[on|off]", "show the evaluation bar", |s, o| {
        s.view.has_bar = o.switch(s.view.has_bar)?;
        s.show_board()
    }),
    entry(&["analyse", "analyze"], "[on|off]", "show the best lines", |s, o| {
        s.set_lines(o.switch(s.assistance.has_lines)?)
    }),
    chess(&["threats"], "[on|off]", "name what the opponent threatens", |s, o| {
        s.assistance.has_threats = o.switch(s.assistance.has_threats)?;
        s.say_switch("Threats", s.assistance.has_threats)
    }),
    entry(&["hints"], "[on|off]", "a hint at each of your turns", |s, o| {
        s.assistance.has_hints = o.switch(s.assistance.has_hints)?;
        s.say_switch("Hints", s.assistance.has_hints)
    }),
    entry(&["thoughts"], "[on|off]", "show the moves that the engine considers", |s, o| {
        s.assistance.shows_thoughts = o.switch(s.assistance.shows_thoughts)?;
        s.say_switch("Thoughts", s.assistance.shows_thoughts)
    }),
    entry(&["time", "clock"], "", "the clocks, and the time of the game", |s, _| {
        s.say_all([s.time_text()])
    }),
    chess(&["opening"], "", "the name of the opening", |s, _| s.say_all([s.opening_text()])),
    entry(&["draw", "offer", "accept"], "", "offer a draw, or accept one", |s, _| s.draw()),
    entry(&["decline"], "", "decline a draw", |s, _| s.decline()),
    chess(&["claim"], "[MOVE]", "claim a draw by repetition or the fifty-move rule", |s, o| {
        s.claim(o.optional())
    }),
    entry(&["resign"], "", "give up", |s, _| s.resign()),
    entry(&["now", "stop"], "", "the engine moves at once", |s, _| s.move_now()),
    entry(&["pause"], "", "stop the clocks and the engine; again: go on", |s, _| s.pause()),
    entry(
        &["level"],
        "LEVEL",
        "1 to 20, easy, medium or hard; in chess also a rating from 500 to 3190",
        |s, o| s.set_level(o.needed("which")?.parse()?),
    ),
    entry(&["side"], "SIDE", "play white, black, both or none (the engine alone)", |s, o| {
        s.set_side(o.side()?)
    }),
    entry(&["new"], "", "a new game", |s, _| {
        s.begin(s.start_position());
        Ok(())
    }),
    chess(&["chess960"], "[N]", "a new game of Chess960, with position N or any", |s, o| {
        s.begin_chess960(o.number("a number from 0 to 959", |number| *number < POSITIONS)?)
    }),
    entry(
        &["setup"],
        "POSITION",
        "a FEN; in chess also start, clear, +Nf3, -e2, white, black, castling",
        |s, o| s.set_up(o.needed("a FEN or changes of the board")?),
    ),
    entry(&["load"], "FILE [N]", "go on with the first or Nth game of a PGN file", |s, o| {
        let (path, number) = o.game()?;
        s.load(path.as_ref(), number)
    }),
    entry(&["save"], "FILE", "write the game as PGN", |s, o| s.save(o.path()?.as_ref())),
    entry(&["svg"], "FILE", "write a picture of the board", |s, o| s.svg(o.path()?.as_ref())),
    entry(&["record"], "", "your results against the engine, and your rating", |s, _| {
        s.show_results()
    }),
    entry(&["moves", "history"], "", "the moves so far", |s, _| s.say_all(s.moves())),
    entry(&["fen"], "", "the position as FEN", |s, _| s.say_all([s.shown().0.fen()])),
    entry(&["pgn"], "", "the game as PGN", |s, _| {
        let pgn = s.pgn();
        s.say_all(pgn.lines().map(str::to_owned))
    }),
    entry(&["board", "show", "d"], "", "draw the board", |s, _| s.show_board()),
    entry(&["flip"], "", "turn the board", |s, _| {
        s.view.is_flipped = !s.view.is_flipped;
        s.show_board()
    }),
    entry(&["theme"], "[NAME]", "colors: wood, green, blue, gray, contrast", |s, o| {
        s.set_theme(o.optional())
    }),
    chess(&["pieces"], "[NAME]", "unicode, ascii or blocks", |s, o| s.set_pieces(o.optional())),
    entry(
        &["look"],
        "PLY",
        "look at another position: first, back, forward, last or a number",
        |s, o| {
            let last = s.game.turns().len();
            s.look(o.look(s.view.look.unwrap_or(last), last)?)
        },
    ),
    chess(&["next", "skip"], "", "the next puzzle", |s, _| s.next_puzzle()),
    chess(&["solution", "solve"], "", "the solution of the puzzle", |s, _| s.solution()),
    entry(&["quit", "q", "exit"], "", "leave; an unfinished game is kept for --resume", |s, _| {
        s.quit()
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

/// The command that one name begins with, if no other has such a name.
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

/// Where the word begins that is completed, in bytes, and what it may become: moves, and commands
/// where one may begin.
pub fn complete(position: &Position, typed: &str) -> (usize, Vec<String>) {
    let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    // A white space is one byte or more.
    let start = (start..=typed.len()).find(|at| typed.is_char_boundary(*at)).unwrap_or(0);
    let (before, word) = typed.split_at(start);
    let command = before.trim().to_lowercase();
    let has_moves = matches!(command.as_str(), "" | "why" | "claim");
    let mut found = if has_moves && !(command.is_empty() && word.is_empty()) {
        moves::complete(position, word)
    } else {
        Vec::new()
    };
    if command.is_empty() || matches!(command.as_str(), "help" | "?" | "h") {
        let lower = word.to_lowercase();
        let names = offered(position.chess().is_some()).map(|entry| entry.names[0]);
        found.extend(names.filter(|name| name.starts_with(&lower)).map(str::to_owned));
    }
    (start, found)
}

/// The command that was typed, and what follows it; `None` for what is taken for a move.
fn read(text: &str) -> Option<(&'static Entry, Operands<'_>)> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let lower = word.to_lowercase();
    let entry = find(&lower).or_else(|| abbreviated(&lower))?;
    Some((entry, Operands { name: entry.names[0], text: rest.trim() }))
}

impl Session {
    /// Does what was typed.
    pub(super) fn obey(&mut self, typed: &str) -> Done {
        let text = typed.trim();
        let text = text.strip_prefix([':', '/']).unwrap_or(text);
        match read(text) {
            None => self.play_typed(text),
            Some((entry, operands)) if entry.is_chess_only && !self.is_chess() => {
                let name = operands.name;
                refused(format!("{name} is only there in chess; say help for what there is"))
            }
            Some((entry, operands)) => (entry.run)(self, &operands),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{COMMANDS, complete, read};
    use crate::testing::{said, session};
    use std::collections::HashSet;
    use tamarin_game::position::Position;

    #[test]
    fn reads_names_abbreviations_and_operands() {
        for (text, name, operands) in [
            ("UNDO  3", "undo", "3"),
            ("u", "undo", ""),
            ("take", "undo", ""),
            ("?", "help", ""),
            ("l E2", "legal", "E2"),
        ] {
            let (entry, read) = read(text).unwrap();
            assert_eq!((entry.names[0], read.text), (name, operands), "{text}");
        }
        for (text, path, number) in [
            ("load my games.pgn 2", "my games.pgn", 2),
            ("load 2", "2", 1),
            ("load \"my games.pgn\" 2", "my games.pgn", 2),
            ("load \"", "\"", 1),
        ] {
            assert_eq!(read(text).unwrap().1.game().unwrap(), (path, number), "{text}");
        }
    }

    #[test]
    fn takes_other_words_for_moves() {
        for text in ["e4", "nf3", "b4", "d4", "O-O", "e2 e4", "xyz", "d5", "hxg3", "r1e1", "bc"] {
            assert!(read(text).is_none(), "{text}");
        }
    }

    #[test]
    fn rejects_wrong_operands() {
        let mut session = session(&[]);
        let wrong = [
            ("undo 0", "undo: \"0\" is not a number of plies"),
            ("bar up", "bar: \"up\" is not on or off"),
            ("save", "save: say the file"),
            ("legal a1", "No legal move from a1."),
            ("side", "side: say white, black, random, both or none"),
            ("chess960 960", "chess960: \"960\" is not a number from 0 to 959"),
            (
                "level 99",
                "\"99\" is no level: give 1 to 20, a rating from 500 to 3190, easy, medium or hard",
            ),
        ];
        for (text, message) in wrong {
            assert_eq!(said(&mut session, text), [message]);
        }
    }

    fn found(typed: &str) -> (usize, Vec<String>) {
        complete(&Position::startpos(), typed)
    }

    #[test]
    fn moves_and_commands_are_completed() {
        assert_eq!(found("Nf"), (0, vec!["Nf3".into()]));
        assert_eq!(found("res"), (0, vec!["resign".into()]));
        assert_eq!(found("why Nc"), (4, vec!["Nc3".into()]));
        assert_eq!(found("help un"), (5, vec!["undo".into()]));
        assert_eq!(found("save Nf").1, Vec::<String>::new());
        assert!(
            found("h").1.contains(&"hint".to_owned()) && found("h").1.contains(&"h4".to_owned())
        );
        assert!(found("").1.iter().all(|name| name.len() > 2));
        assert_eq!(found("é\u{2003}x").0, "é\u{2003}".len());
    }

    #[test]
    fn names_are_unique() {
        let mut names = HashSet::new();
        assert!(COMMANDS.iter().flat_map(|entry| entry.names).all(|name| names.insert(name)));
    }
}
