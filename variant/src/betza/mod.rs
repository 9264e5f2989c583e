//! Betza notation, in the dialect of the thesis and in XBoard's.

mod build;
mod castling;
mod chain;
mod directions;
mod group;
mod moves;
mod xboard;

use crate::ast::{Dialect, MoveText, Word};
use crate::diagnostic::Diagnostic;
pub(crate) use build::{Size, at};
pub(crate) use moves::EN_PASSANT;
pub(crate) use xboard::write as write_xbetza;

/// A text of Betza notation with two letters exchanged, such as those of left and right.
pub(crate) fn exchanged(text: &str, [one, other]: [char; 2]) -> String {
    let exchange = |letter| match letter {
        _ if letter == one => other,
        _ if letter == other => one,
        _ => letter,
    };
    text.chars().map(exchange).collect()
}

/// The moves of a text of Betza notation.
///
/// # Errors
/// At the first letter that means nothing, or nothing that this program reads.
pub(crate) fn moves(
    text: &Word,
    dialect: Dialect,
    size: Size,
) -> Result<Vec<MoveText>, Diagnostic> {
    let mut all = Vec::new();
    for group in group::groups(text, dialect)? {
        all.extend(moves::moves(&group, dialect, size)?);
    }
    Ok(all)
}
