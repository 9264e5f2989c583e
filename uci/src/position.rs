//! `position`: where the game starts and the moves since.

use core::fmt;
use core::str::FromStr;

use tamarin_movegen::{UciMove, UciMoveError};

use crate::Excerpt;
use crate::words::{Words, push_word};

/// A `position` command as text: neither the FEN nor the legality of the moves is checked here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionText {
    /// The position before the first move.
    pub base: Base,
    /// The moves of the game in order.
    pub moves: Vec<UciMove>,
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
    /// An entry of the move list is not written like a move.
    #[error("position: move {number} is not a move: {text}")]
    BadMove {
        /// Its place in the list, from 1.
        number: usize,
        /// The entry.
        text: Excerpt,
        /// What is wrong with it.
        source: UciMoveError,
    },
}

impl PositionText {
    /// Reads what follows `position`.
    pub(crate) fn parse(mut words: Words<'_>) -> Result<Self, PositionError> {
        let base = Base::parse(&mut words)?;
        // A move and the space before it take at least five bytes, so this never grows.
        let mut moves = Vec::with_capacity(words.rest().len() / 5 + 1);
        for word in words {
            match UciMove::from_str(word) {
                Ok(mv) => moves.push(mv),
                Err(source) => {
                    let number = moves.len() + 1;
                    return Err(PositionError::BadMove { number, text: word.into(), source });
                }
            }
        }
        Ok(Self { base, moves })
    }
}

impl Base {
    /// Reads up to the first move.
    pub(crate) fn parse(words: &mut Words<'_>) -> Result<Self, PositionError> {
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
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
            for mv in &self.moves {
                write!(f, " {mv}")?;
            }
        }
        Ok(())
    }
}
