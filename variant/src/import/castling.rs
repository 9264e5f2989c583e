//! Castling, as the start position and its rights have it.

use std::fmt::Write;

use super::reader::Reader;

/// The castlings of a game.
#[derive(Default)]
pub(super) struct Castlings {
    king: Option<char>,
    rooks: Vec<char>,
    text: String,
}

impl Castlings {
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Who castles.
    pub(super) fn king(&self) -> Option<char> {
        self.king.filter(|_| !self.is_empty())
    }

    /// Returns `true` if a piece takes part.
    pub(super) fn moves(&self, letter: char) -> bool {
        !self.is_empty() && (self.king == Some(letter) || self.rooks.contains(&letter))
    }

    /// The moves of the king, in the notation.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// The castlings that White's rights in the start position name.
pub(super) fn castlings(reader: &mut Reader<'_>, placement: &str, rights: &str) -> Castlings {
    if !reader.flag("castling", true) {
        return Castlings::default();
    }
    let king = match reader.set("castlingKingPiece") {
        Some(kings) => kings.first().copied(),
        None => reader.letter_of("king"),
    };
    let rooks = reader.set("castlingRookPieces");
    let rooks = rooks.unwrap_or_else(|| reader.letter_of("rook").into_iter().collect());
    let row: i32 = reader.value("castlingRank", 1, "a number");
    let targets =
        [file(reader, "castlingKingsideFile", 6), file(reader, "castlingQueensideFile", 2)];
    let cells = row_cells(placement, reader.rows - row);
    let at = |cell: &Option<char>, letter: char| *cell == Some(letter.to_ascii_uppercase());
    let Some(king) = king else { return Castlings::default() };
    let Some(home) = cells.iter().position(|cell| at(cell, king)) else {
        return Castlings::default();
    };
    let is_rook = |cell: &Option<char>| rooks.iter().any(|&rook| at(cell, rook));
    let mut text = String::new();
    for (right, target) in ['K', 'Q'].into_iter().zip(targets) {
        let rook = match right {
            'K' => cells.iter().rposition(is_rook).filter(|&rook| rook > home),
            _ => cells.iter().position(is_rook).filter(|&rook| rook < home),
        };
        if let Some(rook) = rook.filter(|_| rights.contains(right)) {
            let beside = if right == 'K' { target - 1 } else { target + 1 };
            let home = home as i32;
            text += &one(&rooks, [target - home, rook as i32 - home, beside - home]);
        }
    }
    Castlings { king: Some(king), rooks, text }
}

/// One castling: where the king goes, where the rook stands and where it goes, in columns from the
/// king.
fn one(rooks: &[char], [target, rook, beside]: [i32; 3]) -> String {
    let names: Vec<String> = rooks.iter().map(|&rook| rook.into()).collect();
    let mut text = format!(
        "  {{-square (0 {target}) -conditions (0 0) *unmoved (0 {rook}) friend (0 {rook}) ={} \
         (0 {rook}) *unmoved",
        names.join(",")
    );
    let columns = [0, target, rook, beside];
    let (first, last) = (columns.iter().min(), columns.iter().max());
    let (Some(&first), Some(&last)) = (first, last) else { return String::new() };
    // Writing to a string cannot fail.
    for column in (first..=last).filter(|&column| column != 0 && column != rook) {
        let _ = write!(text, " (0 {column}) empty");
    }
    for column in target.min(0)..=target.max(0) {
        let _ = write!(text, " (0 {column}) unattacked");
    }
    format!("{text} -effects (0 {rook}) -> (0 {beside})}}\n")
}

/// A column by its letter or number, from 0.
fn file(reader: &mut Reader<'_>, key: &str, default: i32) -> i32 {
    let Some(value) = reader.keys.get(key) else { return default };
    let column = match value.value.as_bytes() {
        [letter @ b'a'..=b'l'] => Some(i32::from(letter - b'a')),
        _ => value.value.parse::<i32>().ok().map(|number| number - 1),
    };
    match column.filter(|column| (0..reader.columns).contains(column)) {
        Some(column) => column,
        None => {
            reader.wrong(value.span, format!("'{key}' is no file of this board: {}", value.value));
            default
        }
    }
}

/// The letters of a row of a FEN, counted from the top.
pub(super) fn row_cells(placement: &str, row: i32) -> Vec<Option<char>> {
    let board = placement.split('[').next().unwrap_or_default();
    let Some(text) = usize::try_from(row).ok().and_then(|row| board.split('/').nth(row)) else {
        return Vec::new();
    };
    let mut cells = Vec::new();
    let mut number = 0;
    for c in text.chars() {
        if let Some(digit) = c.to_digit(10) {
            number = number * 10 + digit as usize;
            continue;
        }
        // A row has at most 12 squares; what is longer is refused later.
        cells.resize(cells.len() + number.min(99), None);
        number = 0;
        if c.is_ascii_alphabetic() {
            cells.push(Some(c));
        }
    }
    cells.resize(cells.len() + number.min(99), None);
    cells
}
