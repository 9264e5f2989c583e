//! `position`: where the game starts and the moves since.

use core::fmt;

use crate::Excerpt;
use crate::words::{Words, push_word, write_field};

/// A `position` command of any game as text: neither the FEN nor the moves are checked here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionText {
    /// The position before the first move.
    pub base: Base,
    /// The moves of the game in order.
    pub moves: MoveWords,
}

/// Where a game starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Base {
    /// `startpos`.
    Start,
    /// `fen ...`: the fields with single spaces, quotes around them removed.
    Fen(String),
}

/// Why a `position` line was refused. The whole line has no effect.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PositionError {
    /// Nothing follows `position`.
    #[error("position: expected startpos or fen")]
    Missing,
    /// Something else than `startpos` or `fen` follows.
    #[error("position: expected startpos or fen, not {text}")]
    UnknownBase {
        /// The word found.
        text: Excerpt,
    },
    /// No text follows `fen`.
    #[error("position: fen without a position")]
    EmptyFen,
    /// A word other than `moves` follows `startpos`.
    #[error("position: expected moves after startpos, not {text}")]
    ExpectedMoves {
        /// The word found.
        text: Excerpt,
    },
}

impl PositionText {
    /// Reads what follows `position`.
    pub(crate) fn parse(mut words: Words<'_>) -> Result<Self, PositionError> {
        let base = Base::parse(&mut words)?;
        Ok(Self { base, moves: words.collect() })
    }
}

impl Base {
    /// Reads up to the first move.
    fn parse(words: &mut Words<'_>) -> Result<Self, PositionError> {
        match words.next() {
            None => Err(PositionError::Missing),
            Some("startpos") => match words.next() {
                None | Some("moves") => Ok(Self::Start),
                Some(word) => Err(PositionError::ExpectedMoves { text: word.into() }),
            },
            Some("fen") => Ok(Self::Fen(read_fen(words)?)),
            Some(word) => Err(PositionError::UnknownBase { text: word.into() }),
        }
    }
}

/// Reads up to and including `moves`. Clients that quote their arguments quote the FEN too.
fn read_fen(words: &mut Words<'_>) -> Result<String, PositionError> {
    let mut fen = String::new();
    for word in words.take_while(|word| word.trim_matches(is_quote) != "moves") {
        push_word(&mut fen, word);
    }
    let bare = fen.trim_matches(|c| is_quote(c) || c == ' ');
    if bare.is_empty() {
        return Err(PositionError::EmptyFen);
    }
    Ok(if bare.len() == fen.len() { fen } else { bare.to_owned() })
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'')
}

impl fmt::Display for PositionText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.base {
            Base::Start => f.write_str("position startpos")?,
            Base::Fen(fen) => write!(f, "position fen {fen}")?,
        }
        let moves = Some(&self.moves).filter(|moves| !moves.is_empty());
        write_field(f, "moves", moves)
    }
}

/// A list of moves of any game as text: neither their form nor their legality is checked here.
// One text instead of one for each move: a line of the greatest length has 500,000 words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveWords(String);

impl MoveWords {
    /// The moves in the order of the line.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        Words::new(&self.0)
    }

    /// Returns `true` for a list without moves.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn push(&mut self, word: &str) {
        push_word(&mut self.0, word);
    }
}

/// Each item is one move, a word without white space.
impl<'a> FromIterator<&'a str> for MoveWords {
    fn from_iter<I: IntoIterator<Item = &'a str>>(words: I) -> Self {
        let mut moves = Self::default();
        words.into_iter().for_each(|word| moves.push(word));
        // Very many lines may wait for a search to end.
        moves.0.shrink_to_fit();
        moves
    }
}

/// The moves with single spaces between them.
impl fmt::Display for MoveWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
