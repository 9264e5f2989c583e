//! A game with everything that its text says.

use std::borrow::Cow;
use std::fmt;

use tamarin_movegen::{Color, Move, Position};

/// A tag pair, such as `[White "Deep Blue"]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// Its name.
    pub name: String,
    /// Its value, without quotes and backslashes.
    pub value: String,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Outcome {
    /// A side won.
    Won(Color),
    /// Nobody did.
    Draw,
    /// It goes on, or nobody knows.
    #[default]
    Unknown,
}

impl Outcome {
    /// The outcome with this marker, such as `1-0`.
    pub fn of(marker: &str) -> Self {
        match marker {
            "1-0" => Self::Won(Color::White),
            "0-1" => Self::Won(Color::Black),
            "1/2-1/2" => Self::Draw,
            _ => Self::Unknown,
        }
    }
}

/// The termination marker of PGN.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Won(Color::White) => "1-0",
            Self::Won(Color::Black) => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

/// A move of a game, and what was noted about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The move, legal where it was played.
    pub mv: Move,
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// Comments, without braces.
    pub comments: Vec<String>,
    /// Variations with their parentheses. Their moves were not checked.
    pub variations: Vec<String>,
}

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    /// The tags in their order.
    pub tags: Vec<Tag>,
    /// The first position.
    pub start: Position,
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves of the main line.
    pub moves: Vec<Played>,
    /// How it ended.
    pub outcome: Outcome,
}

impl Game {
    /// A game without moves.
    pub const fn of_position(start: Position) -> Self {
        Self {
            tags: Vec::new(),
            start,
            comments: Vec::new(),
            moves: Vec::new(),
            outcome: Outcome::Unknown,
        }
    }

    /// The value of a tag, unless it is missing, empty or says that it is unknown.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|tag| tag.name == name)?;
        Some(tag.value.as_str()).filter(|value| !matches!(*value, "" | "?" | "-"))
    }

    /// Whether the tags say that it is a game of Chess960.
    pub fn is_chess960(&self) -> bool {
        self.tag("Variant").is_some_and(|name| {
            let name = name.to_lowercase();
            name.contains("960") || name.contains("fische")
        })
    }
}

/// The ply that is to be played: 0 for White's first move.
pub fn ply_number(position: &Position) -> u32 {
    let black = u32::from(position.side_to_move() == Color::Black);
    2 * u32::from(position.fullmove_number()).saturating_sub(1) + black
}

/// Text of unknown encoding: UTF-8 if it can be, else Latin-1, which the standard asks for. Control
/// characters become blanks: they could steer a terminal. A byte order mark is no text.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text: Cow<'_, str> = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect::<String>().into(),
    };
    let is_control = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    if text.contains(is_control) { text.replace(is_control, " ").into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn text_is_utf_8_or_latin_1_without_control_characters() {
        assert_eq!(decoded(b"M\xc3\xbcller\r\n\t"), "M\u{fc}ller\r\n\t");
        assert_eq!(decoded(b"M\xfcller"), "M\u{fc}ller");
        assert_eq!(decoded(b"\xef\xbb\xbfM\xfcller"), "M\u{fc}ller");
        assert_eq!(decoded(b"a\0b\x1b[31m\x9b"), "a b [31m ");
    }
}
