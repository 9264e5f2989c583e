//! Sets of squares as Fairy-Stockfish writes them: `d4`, `*8`, with blanks between.

use crate::ast::Word;
use crate::diagnostic::{Code, Diagnostic};

/// A square or a whole row; rows and columns count from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Place {
    pub(super) row: i32,
    /// Nothing for the whole row.
    pub(super) column: Option<i32>,
}

/// Reads a set of squares; `-` is the empty set.
pub(super) fn region(value: &Word) -> Result<Vec<Place>, Diagnostic> {
    let words = value.value.split_whitespace().filter(|word| *word != "-");
    let mut places: Vec<Place> = words
        .map(|word| {
            place(word).ok_or_else(|| {
                let message = format!("'{word}' is no square and no row such as *8");
                Diagnostic::new(Code::IniValue, value.span, message)
            })
        })
        .collect::<Result<_, _>>()?;
    places.sort_unstable();
    places.dedup();
    Ok(places)
}

fn place(word: &str) -> Option<Place> {
    let file = word.chars().next()?;
    let row = word[file.len_utf8()..].parse::<i32>().ok().filter(|row| (1..=12).contains(row))? - 1;
    match file {
        '*' => Some(Place { row, column: None }),
        'a'..='l' => Some(Place { row, column: Some(file as i32 - 'a' as i32) }),
        _ => None,
    }
}

/// As Black sees it: with rows turned over, and with `columns` columns too.
pub(super) fn turned(places: &[Place], rows: i32, columns: Option<i32>) -> Vec<Place> {
    let place = |place: &Place| Place {
        row: rows - 1 - place.row,
        column: place.column.map(|own| columns.map_or(own, |columns| columns - 1 - own)),
    };
    let mut turned: Vec<Place> = places.iter().map(place).collect();
    turned.sort_unstable();
    turned
}

/// A zone of the notation that holds in these places; with the prefix `t` it is about the target.
pub(super) fn zone(places: &[Place], prefix: &str) -> String {
    let parts: Vec<String> = places
        .iter()
        .map(|place| match place.column {
            None => format!("{prefix}[ROW = {}]", place.row),
            Some(column) => format!("{prefix}[ROW = {} & COL = {column}]", place.row),
        })
        .collect();
    parts.join("|")
}
