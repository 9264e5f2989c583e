//! Everything the engine answers in the protocol, one line each.

use core::fmt::{self, Write as _};

use crate::OptionSpec;

/// The answer to `go`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BestMoveLine<M> {
    /// `bestmove e2e4`, perhaps with `ponder e7e5`.
    Move {
        /// The move to play.
        mv: M,
        /// The answer to think about meanwhile: legal after `mv`.
        ponder: Option<M>,
    },
    /// `bestmove (none)`: the side to move has no legal move.
    None,
    /// `bestmove 0000`: there is no position.
    Null,
}

impl<M> BestMoveLine<M> {
    /// The same with other moves.
    pub fn map<N>(self, mut change: impl FnMut(M) -> N) -> BestMoveLine<N> {
        match self {
            Self::Move { mv, ponder } => {
                BestMoveLine::Move { mv: change(mv), ponder: ponder.map(change) }
            }
            Self::None => BestMoveLine::None,
            Self::Null => BestMoveLine::Null,
        }
    }
}

impl<M: fmt::Display> fmt::Display for BestMoveLine<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { mv, ponder: Some(ponder) } => {
                write!(f, "bestmove {mv} ponder {ponder}")
            }
            Self::Move { mv, ponder: None } => write!(f, "bestmove {mv}"),
            Self::None => f.write_str("bestmove (none)"),
            Self::Null => f.write_str("bestmove 0000"),
        }
    }
}

/// One line of the protocol. Printing gives no line end, no leading or trailing blank, and single
/// spaces except inside texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply<'a> {
    /// `id name ...`
    IdName(&'a str),
    /// `id author ...`
    IdAuthor(&'a str),
    /// `option name ...`
    Option(&'a OptionSpec),
    /// `uciok`
    UciOk,
    /// `readyok`
    ReadyOk,
    /// `info string ...`: a text for people. Control characters, line ends among them, are printed
    /// as spaces, and white space at the end is dropped: the line stays one line.
    Text(&'a str),
}

impl fmt::Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IdName(name) => write_text(f, "id name", name),
            Self::IdAuthor(author) => write_text(f, "id author", author),
            Self::Option(option) => option.fmt(f),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Text(text) => write_text(f, "info string", text),
        }
    }
}

/// Writes `head`, a space and `text`, with spaces for control characters and none at the end.
fn write_text(f: &mut fmt::Formatter<'_>, head: &str, text: &str) -> fmt::Result {
    f.write_str(head)?;
    let text = text.trim_matches(|c: char| c.is_whitespace() || c.is_control());
    if text.is_empty() {
        return Ok(());
    }
    for part in text.split(char::is_control) {
        f.write_char(' ')?;
        f.write_str(part)?;
    }
    Ok(())
}
