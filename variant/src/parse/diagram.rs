//! The picture of the start position.

use super::cursor::{Cursor, Text};
use crate::ast::{Cell, Diagram, Spanned};
use crate::board::Move;
use crate::diagnostic::{Code, Diagnostic};

/// The greatest number of rows and of columns of a board.
pub const MAX_SIDE: usize = 16;
/// The greatest number of squares: [`Move`] has no room for more beside the pieces in hand.
pub const MAX_SQUARES: usize = Move::HAND as usize;

/// What boards there are.
pub(crate) const SIZES: &str = "a board has 1 to 16 rows and columns, and at most 192 squares";

/// Whether there are boards with so many rows and columns.
pub(crate) fn fits(rows: usize, columns: usize) -> bool {
    rows.max(columns) <= MAX_SIDE && rows * columns <= MAX_SQUARES
}

/// Reads lines `first..end`.
pub(super) fn diagram(
    text: &Text,
    lines: std::ops::Range<usize>,
    remarks: &mut Vec<Diagnostic>,
) -> Option<Diagram> {
    let mut rows: Vec<Spanned<Vec<Spanned<Cell>>>> = Vec::new();
    for line in lines.filter(|&line| !text.is_empty(line)) {
        let mut cursor = text.cursor(line, line + 1);
        let mark = cursor.mark();
        let mut cells = Vec::new();
        while !cursor.at_end() {
            cells.push(cell(&mut cursor));
        }
        let row = Spanned::new(cells, cursor.since(mark));
        let wrong = match rows.first() {
            Some(first) if first.value.len() != row.value.len() => {
                let (has, expected) = (row.value.len(), first.value.len());
                let message = format!("this row has {has} squares, the first has {expected}");
                Some((Code::RowLength, message))
            }
            _ if !fits(rows.len() + 1, row.value.len()) => {
                Some((Code::BoardSize, SIZES.to_owned()))
            }
            _ => None,
        };
        if let Some((code, message)) = wrong {
            remarks.push(Diagnostic::new(code, row.span, message));
            return None;
        }
        rows.push(row);
    }
    (!rows.is_empty()).then_some(Diagram { rows })
}

fn cell(cursor: &mut Cursor<'_>) -> Spanned<Cell> {
    let word = cursor.run(|c| !c.is_whitespace());
    let cell = match word.value.as_str() {
        "." | "-" => Cell::Empty,
        text => match text.split_once(':') {
            Some(("w", name)) => Cell::White(name.to_owned()),
            Some(("b", name)) => Cell::Black(name.to_owned()),
            _ => Cell::Name(word.value.clone()),
        },
    };
    Spanned::new(cell, word.span)
}
