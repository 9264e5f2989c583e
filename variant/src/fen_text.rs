//! How pieces are written in diagrams and FENs.

use crate::ast::Cell;
use crate::board::{Code, Color};

/// The letter of a one-letter name, which may have `+` before it.
pub(crate) fn letter(name: &str) -> Option<char> {
    let mut letters = name.trim_start_matches('+').chars();
    letters.next().filter(|_| letters.next().is_none())
}

/// The piece that a one-letter name means: capitals are White's. `find` looks up a name in small
/// letters.
pub(crate) fn by_case(text: &str, find: impl Fn(&str) -> Option<usize>) -> Option<Code> {
    let letter = letter(text)?;
    let color = if letter.is_uppercase() { Color::White } else { Color::Black };
    find(&text.to_lowercase()).map(|piece| Code::new(color, piece))
}

/// The name as a FEN has it: a one-letter name by its case, another in angle brackets.
pub(crate) fn write(name: &str, color: Color) -> String {
    let cased = |c: char| c.to_lowercase().ne(c.to_uppercase());
    match (letter(name).filter(|&c| cased(c)), color) {
        (Some(_), Color::White) => name.to_uppercase(),
        (Some(_), Color::Black) => name.to_lowercase(),
        (None, Color::White) => format!("<w:{name}>"),
        (None, Color::Black) => format!("<b:{name}>"),
    }
}

/// Behind a piece of a FEN: a promotion has made it.
pub(crate) const PROMOTED: char = '~';

/// One thing in a row of a FEN.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'a> {
    /// So many empty squares.
    Empty(usize),
    /// A piece: a letter with `+` before it, or a name behind `w:` or `b:`; `~` may follow.
    Piece(&'a str),
}

/// The cell of a diagram that a piece of a FEN is.
pub(crate) fn cell(text: &str) -> Cell {
    let (text, _) = unmarked(text);
    match text.split_once(':') {
        Some(("w", name)) => Cell::White(name.to_owned()),
        Some(("b", name)) => Cell::Black(name.to_owned()),
        _ => Cell::Name(text.to_owned()),
    }
}

/// The piece of a FEN without the mark of what a promotion has made, and whether it had it.
pub(crate) fn unmarked(text: &str) -> (&str, bool) {
    match text.strip_suffix(PROMOTED) {
        Some(text) => (text.trim_matches(['<', '>']), true),
        None => (text, false),
    }
}

/// Splits a row of a FEN.
pub(crate) fn tokens(row: &str) -> impl Iterator<Item = Token<'_>> {
    let mut rest = row;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let length = if first.is_ascii_digit() {
            rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())
        } else if first == '<' {
            rest.find('>').map_or(rest.len(), |end| end + 1)
        } else {
            let plus = rest.len() - rest.trim_start_matches('+').len();
            let letter = rest[plus..].chars().next().map_or(0, char::len_utf8);
            plus + letter
        };
        let marked = !first.is_ascii_digit() && rest[length..].starts_with(PROMOTED);
        let length = length + usize::from(marked);
        let (token, after) = rest.split_at(length);
        rest = after;
        Some(if first.is_ascii_digit() {
            Token::Empty(token.parse().unwrap_or(usize::MAX))
        } else {
            Token::Piece(token.trim_matches(['<', '>']))
        })
    })
}

/// How many squares a row of a FEN describes.
pub(crate) fn width(row: &str) -> usize {
    tokens(row).fold(0, |sum: usize, token| match token {
        Token::Empty(count) => sum.saturating_add(count),
        Token::Piece(_) => sum.saturating_add(1),
    })
}
