//! Squares as text: a letter for the column, a number for the row.

use crate::board::Square;

/// `a1` is the left square of White's first row.
pub(crate) fn write(square: Square, columns: u8) -> String {
    format!("{}{}", (b'a' + square % columns) as char, square / columns + 1)
}

/// The square that a text names.
pub(crate) fn read(text: &str, rows: u8, columns: u8) -> Option<Square> {
    let (square, rest) = split(text, rows, columns)?;
    rest.is_empty().then_some(square)
}

/// The square that a text begins with, and what follows it.
pub(crate) fn split(text: &str, rows: u8, columns: u8) -> Option<(Square, &str)> {
    let letter = *text.as_bytes().first()?;
    let column = letter.checked_sub(b'a').filter(|&column| column < columns)?;
    let digits = text.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let row: u8 = text[1..1 + digits].parse().ok()?;
    let row = row.checked_sub(1).filter(|&row| row < rows)?;
    Some((row * columns + column, &text[1 + digits..]))
}
