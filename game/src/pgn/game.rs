//! A game with everything that its text says.

use std::borrow::Cow;
use std::fmt;

use tamarin_movegen::{Color, Position};

use super::rules::{Rules, is_chess960};
use super::words::{Gap, Token, Word, outside};
use crate::variation::number_of;

/// A tag pair, such as `[White "Deep Blue"]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    name: String,
    value: String,
    /// Its text in the file, with what is no tag before it, if it is written in another form.
    source: Option<Box<str>>,
}

impl Tag {
    /// A tag with this value, without quotes and backslashes.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into(), source: None }
    }

    /// A tag as it stands in a file.
    pub(super) fn read(name: String, value: String, source: &str) -> Self {
        let mut tag = Self::new(name, value);
        let is_other = tag.to_string() != source;
        tag.source = is_other.then(|| source.into());
        tag
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its value, without quotes and backslashes.
    pub fn value(&self) -> &str {
        &self.value
    }
}

/// The tag pair without a line end, as it stands in the file it comes from. Control characters
/// become blanks.
impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(source) = &self.source {
            return f.write_str(source);
        }
        let plain = |text: &str| text.replace(char::is_control, " ");
        let value = plain(&self.value).replace('\\', "\\\\").replace('"', "\\\"");
        write!(f, "[{} \"{value}\"]", plain(&self.name))
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Outcome {
    /// A side won.
    Won(Color),
    /// A draw.
    Draw,
    /// It goes on, or is not known.
    #[default]
    Unknown,
}

impl Outcome {
    /// The outcome with this marker, such as `1-0`.
    pub fn of(marker: &str) -> Self {
        match marker.replace(['\u{2013}', '\u{2014}'], "-").replace('\u{bd}', "1/2").as_str() {
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

/// How a null move is written that does not come from a file.
pub const NULL_MOVE: &str = "--";

/// Returns `true` if a word is a null move as some program writes it, with or without the sign of a
/// check.
pub fn is_null_move(word: &str) -> bool {
    let word = word.trim_end_matches(['+', '#']);
    matches!(word, NULL_MOVE | "Z0" | "<>" | "0000" | "@@@@" | "null" | "pass")
}

/// A move of a game, and what was noted about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played<P: Rules = Position> {
    /// The move, legal where it was played; `None` is a null move, by which a side that is not in
    /// check passes.
    pub mv: Option<P::Move>,
    /// What is before it.
    pub gap: Gap,
    /// How it is written.
    pub san: String,
    /// What follows it before the next move: glyphs, comments, variations, the next move number.
    pub words: Vec<Word>,
}

impl<P: Rules> Played<P> {
    /// A move that is written so, without notes.
    pub fn new(mv: P::Move, san: impl Into<String>) -> Self {
        Self { mv: Some(mv), gap: Gap::BLANK, san: san.into(), words: Vec::new() }
    }

    /// Plays the move, or passes.
    pub fn play(&self, position: &mut P) {
        match self.mv {
            Some(mv) => position.make(mv),
            None => position.pass(),
        }
    }

    /// The move in algebraic notation, however the file writes it.
    pub fn plain_san(&self, before: &P) -> String {
        self.mv.map_or_else(|| NULL_MOVE.to_owned(), |mv| before.san(mv))
    }

    /// The comments about it, without braces and not those of variations.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        comments(&self.words)
    }

    /// Its numeric annotation glyphs, those of variations apart.
    pub fn glyphs(&self) -> impl Iterator<Item = u8> {
        outside(&self.words).filter_map(|(_, word)| match word.token {
            Token::Glyph { code, .. } => Some(code),
            _ => None,
        })
    }
}

/// A game, of chess unless its positions are those of any game.
#[derive(Clone, Debug)]
pub struct Game<P: Rules = Position> {
    /// The tags in their order.
    pub tags: Vec<Tag>,
    /// What stands in brackets after the tags and is no tag.
    pub untagged: String,
    /// The first position.
    pub start: P,
    /// What stands before the first move.
    pub lead: Vec<Word>,
    /// The moves of the main line.
    pub moves: Vec<Played<P>>,
    /// How it ended.
    pub outcome: Outcome,
}

/// The seven tags that every game has, in their order.
const ROSTER: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];

impl<P: Rules> Game<P> {
    /// A game without moves.
    pub const fn of_position(start: P) -> Self {
        Self {
            tags: Vec::new(),
            untagged: String::new(),
            start,
            lead: Vec::new(),
            moves: Vec::new(),
            outcome: Outcome::Unknown,
        }
    }

    /// The value of a tag, unless it is missing, empty or says that it is unknown.
    pub fn tag(&self, name: &str) -> Option<&str> {
        let tag = self.tags.iter().find(|tag| tag.name == name)?;
        Some(tag.value.as_str()).filter(|value| !matches!(*value, "" | "?" | "-"))
    }

    /// Returns `true` if there is a tag of this name.
    pub fn has_tag(&self, name: &str) -> bool {
        self.tags.iter().any(|tag| tag.name == name)
    }

    /// Gives a tag a value. It stays in its place; a new one comes after all others, but one of the
    /// seven that every game has comes after those of them that precede it.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        if let Some(tag) = self.tags.iter_mut().find(|tag| tag.name == name) {
            if tag.value != value {
                *tag = Tag::new(name, value);
            }
            return;
        }
        let place = ROSTER.iter().position(|one| *one == name).map(|place| {
            let precedes = |tag: &Tag| ROSTER[..place].contains(&tag.name.as_str());
            self.tags.iter().rposition(precedes).map_or(0, |index| index + 1)
        });
        self.tags.insert(place.unwrap_or(self.tags.len()), Tag::new(name, value));
    }

    /// Adds the tags that the standard asks for and that are missing.
    pub fn complete_tags(&mut self) {
        let result = self.outcome.to_string();
        for name in ROSTER {
            let unknown = match name {
                "Date" => "????.??.??",
                "Result" => &result,
                _ => "?",
            };
            if !self.has_tag(name) {
                self.set_tag(name, unknown);
            }
        }
        if let Some(fen) = self.tags.iter().position(|tag| tag.name == "FEN")
            && !self.has_tag("SetUp")
        {
            self.tags.insert(fen, Tag::new("SetUp", "1"));
        }
        if !self.has_tag("FEN")
            && let Some(fen) = self.start.unusual_fen()
        {
            self.set_tag("SetUp", "1");
            self.set_tag("FEN", &fen);
        }
    }

    /// Returns `true` if the tags say that it is a game of Chess960.
    pub fn is_chess960(&self) -> bool {
        self.tag("Variant").is_some_and(is_chess960)
    }

    /// The comments before the first move, without braces.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        comments(&self.lead)
    }

    /// What stands before the move with this index.
    pub fn words_before(&mut self, index: usize) -> &mut Vec<Word> {
        match index.checked_sub(1) {
            None => &mut self.lead,
            Some(before) => &mut self.moves[before].words,
        }
    }

    /// What stands before the moves with these indices gets their numbers if something else than
    /// the move before stands there.
    pub fn number_moves(&mut self, indices: std::ops::Range<usize>) {
        let first = self.start.ply_number();
        for index in indices {
            let ply = first + index as u32;
            let words = self.words_before(index);
            let is_plain = |word: &Word| matches!(word.token, Token::Glyph { .. });
            let is_numbered =
                matches!(words.last().map(|word| &word.token), Some(Token::Number(_)));
            let is_due = ply.is_multiple_of(2) || index == 0 || !words.iter().all(is_plain);
            if is_due && !is_numbered {
                words.push(Word::new(Token::Number(number_of(ply))));
            }
        }
    }

    /// Puts the outcome at the end, instead of what stands there.
    pub fn set_outcome(&mut self, outcome: Outcome) {
        self.outcome = outcome;
        let marker = Word::new(Token::Result(outcome.to_string()));
        let last = self.words_before(self.moves.len());
        let is_result = |word: &Word| matches!(word.token, Token::Result(_));
        let found: Vec<usize> =
            outside(last).filter(|(_, word)| is_result(word)).map(|(index, _)| index).collect();
        match found.as_slice() {
            [only] if *only + 1 == last.len() => {
                let Token::Result(text) = &last[*only].token else { return };
                if Outcome::of(text) != outcome {
                    last[*only] = marker;
                }
            }
            _ => {
                found.iter().rev().for_each(|index| drop(last.remove(*index)));
                last.push(marker);
            }
        }
    }
}

fn comments(words: &[Word]) -> impl Iterator<Item = &str> {
    outside(words).filter_map(|(_, word)| word.token.comment())
}

/// The letters of Windows-1252 where Latin-1, which the standard asks for, has control characters.
/// Five are not defined.
const WINDOWS_1252: [char; 32] = [
    '\u{20ac}', ' ', '\u{201a}', '\u{192}', '\u{201e}', '\u{2026}', '\u{2020}', '\u{2021}',
    '\u{2c6}', '\u{2030}', '\u{160}', '\u{2039}', '\u{152}', ' ', '\u{17d}', ' ', ' ', '\u{2018}',
    '\u{2019}', '\u{201c}', '\u{201d}', '\u{2022}', '\u{2013}', '\u{2014}', '\u{2dc}', '\u{2122}',
    '\u{161}', '\u{203a}', '\u{153}', ' ', '\u{17e}', '\u{178}',
];

/// The letter of a byte in Windows-1252.
fn windows_1252(byte: u8) -> char {
    let other = byte.checked_sub(0x80).and_then(|index| WINDOWS_1252.get(usize::from(index)));
    other.copied().unwrap_or(byte.into())
}

/// Text of unknown encoding: UTF-8 if it can be, else Windows-1252, which has all of Latin-1. Control
/// characters become blanks: they could steer a terminal. A byte order mark is no text.
pub fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text: Cow<'_, str> = match std::str::from_utf8(bytes) {
        Ok(text) => text.into(),
        Err(_) => bytes.iter().copied().map(windows_1252).collect::<String>().into(),
    };
    let is_control = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r');
    if text.contains(is_control) { text.replace(is_control, " ").into() } else { text }
}

/// The text of a file, of which each line has an encoding of its own, as [`decoded`]: its games may
/// come from several programs.
pub fn decoded_lines(bytes: &[u8]) -> String {
    bytes.split_inclusive(|byte| *byte == b'\n').map(decoded).collect()
}

#[cfg(test)]
mod tests {
    use super::{Game, Outcome, decoded, decoded_lines};
    use tamarin_movegen::{Color, Position};

    #[test]
    fn text_is_utf_8_or_windows_1252_without_control_characters() {
        assert_eq!(decoded(b"M\xc3\xbcller\r\n\t"), "M\u{fc}ller\r\n\t");
        assert_eq!(decoded(b"M\xfcller"), "M\u{fc}ller");
        assert_eq!(decoded(b"\xef\xbb\xbfM\xfcller"), "M\u{fc}ller");
        assert_eq!(decoded_lines(b"M\xfcller\r\nM\xc3\xbcller"), "M\u{fc}ller\r\nM\u{fc}ller");
        assert_eq!(decoded(b"\x8aimon \x93a\x94"), "\u{160}imon \u{201c}a\u{201d}");
        let ends = decoded(b"\x80\x81\x9e\x9f\xa0\xff");
        assert_eq!(ends, "\u{20ac} \u{17e}\u{178}\u{a0}\u{ff}");
        assert_eq!(decoded(b"a\0b\x1b[31m\x9b\x8d"), "a b [31m\u{203a} ");
    }

    #[test]
    fn missing_tags_come_where_the_standard_wants_them() {
        let names = |given: &[&str]| {
            let mut game = Game::of_position(Position::startpos());
            given.iter().for_each(|name| game.tags.push(super::Tag::new(*name, "x")));
            game.complete_tags();
            let names: Vec<_> = game.tags.iter().map(super::Tag::name).collect();
            names.join(" ")
        };
        let all = "Event Site Date Round White Black Result";
        assert_eq!(names(&[]), all);
        assert_eq!(names(&["Event", "White", "Black", "ECO"]), format!("{all} ECO"));
        assert_eq!(names(&["White", "Annotator"]), format!("{all} Annotator"));
        let other = "Event Date EventDate Round Result White Black Site ECO";
        let given: Vec<_> = other.split(' ').collect();
        assert_eq!(names(&given), other);
        assert_eq!(names(&["ECO", "FEN"]), format!("{all} ECO SetUp FEN"));
        assert_eq!(names(&["FEN", "SetUp"]), format!("{all} FEN SetUp"));
    }

    #[test]
    fn outcomes_have_several_spellings() {
        assert_eq!(Outcome::of("1\u{2013}0"), Outcome::Won(Color::White));
        assert_eq!(Outcome::of("\u{bd}-\u{bd}"), Outcome::Draw);
        assert_eq!(Outcome::of("?"), Outcome::Unknown);
    }
}
