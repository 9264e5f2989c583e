//! Castling, as the start position and its rights have it.

use std::fmt::Write;

use super::reader::Reader;
use crate::diagnostic::{Code, Diagnostic};

/// The castlings of a game.
#[derive(Default)]
pub(super) struct Castlings {
    king: Option<char>,
    /// Whether that is the king: what is not royal may pass attacked squares.
    is_royal: bool,
    rooks: Vec<char>,
    /// The rights, as letters of a FEN.
    rights: String,
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

    /// The rights in the start position.
    pub(super) fn rights(&self) -> &str {
        if self.is_empty() { "-" } else { &self.rights }
    }

    /// The moves of the king, in the notation.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The columns of the king and of the rook of a right, which is a side or the rook's file.
    fn columns(&self, right: char, row: &[Option<char>]) -> Option<(i32, i32)> {
        let own = |letter: char| match right.is_ascii_uppercase() {
            true => letter.to_ascii_uppercase(),
            false => letter,
        };
        let is = |cell: &Option<char>, letter: char| *cell == Some(own(letter));
        let is_rook = |cell: &Option<char>| self.rooks.iter().any(|&rook| is(cell, rook));
        let home = row.iter().position(|cell| self.king.is_some_and(|king| is(cell, king)))?;
        let rook = match right.to_ascii_lowercase() {
            'k' => row.iter().rposition(is_rook).filter(|&rook| rook > home),
            'q' => row.iter().position(is_rook).filter(|&rook| rook < home),
            file => {
                let column = (file as usize).checked_sub('a' as usize);
                column.filter(|&column| row.get(column).is_some_and(is_rook))
            }
        };
        Some((home as i32, rook? as i32))
    }

    /// Adds a castling, once for both sides.
    fn add(&mut self, right: char, [home, rook]: [i32; 2], targets: [i32; 2]) {
        let kingside = rook > home;
        let letter = if kingside { 'k' } else { 'q' };
        let [target, beside] = match kingside {
            true => [targets[0], targets[0] - 1],
            false => [targets[1], targets[1] + 1],
        };
        let text = self.one([target - home, rook - home, beside - home]);
        if !self.text.contains(&text) {
            self.text += &text;
        }
        let own = right.is_ascii_uppercase();
        self.rights.push(if own { letter.to_ascii_uppercase() } else { letter });
    }

    /// One castling: where the king goes, where the rook stands and where it goes, in columns from
    /// the king.
    fn one(&self, [target, rook, beside]: [i32; 3]) -> String {
        let names: Vec<String> = self.rooks.iter().map(|&rook| rook.into()).collect();
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
        if self.is_royal {
            for column in target.min(0)..=target.max(0) {
                let _ = write!(text, " (0 {column}) unattacked");
            }
        }
        format!("{text} -effects (0 {rook}) -> (0 {beside})}}\n")
    }
}

/// The castlings that the rights in the start position name, those of Black seen from its side.
pub(super) fn castlings(reader: &mut Reader<'_>, placement: &str, rights: &str) -> Castlings {
    if !reader.flag("castling", true) {
        return Castlings::default();
    }
    let royal = reader.letter_of("king");
    let king = match reader.set("castlingKingPiece") {
        Some(kings) => kings.first().copied(),
        None => royal,
    };
    let rooks = reader.set("castlingRookPieces");
    let rooks = rooks.unwrap_or_else(|| reader.letter_of("rook").into_iter().collect());
    let row: i32 = reader.value("castlingRank", 1, "a number");
    let targets =
        [file(reader, "castlingKingsideFile", 6), file(reader, "castlingQueensideFile", 2)];
    let is_royal = king == royal;
    let mut castlings = Castlings { king, is_royal, rooks, ..Castlings::default() };
    for right in rights.chars().filter(|&right| right != '-') {
        let row = if right.is_ascii_uppercase() { reader.rows - row } else { row - 1 };
        match castlings.columns(right, &row_cells(placement, row)) {
            Some((home, rook)) => castlings.add(right, [home, rook], targets),
            None => {
                // The usual start position says nothing about this game.
                let Some(value) = reader.keys.get("startFen") else { continue };
                let message = format!(
                    "the right to castle '{right}' is left out: there is no king with a rook for it"
                );
                reader.remarks.push(Diagnostic::new(Code::LeftOut, value.span, message));
            }
        }
    }
    castlings
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
