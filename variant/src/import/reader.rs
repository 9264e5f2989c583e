//! Values of keys: numbers, words, regions and pieces.

use std::str::FromStr;

use super::keys::Keys;
use super::pieces;
use super::region::{Place, region, turned};
use crate::ast::{Dialect, MoveText, Word};
use crate::betza::{self, Size};
use crate::diagnostic::{Code, Diagnostic, Span};

/// A piece of the game.
pub(super) struct Piece {
    /// The key that defines it.
    pub(super) key: String,
    pub(super) letter: char,
    /// Its moves in XBoard's dialect of Betza notation.
    pub(super) betza: String,
}

/// What is read from the keys, with remarks about what is wrong.
pub(super) struct Reader<'a> {
    pub(super) keys: &'a Keys,
    pub(super) remarks: &'a mut Vec<Diagnostic>,
    pub(super) rows: i32,
    pub(super) columns: i32,
    pub(super) pieces: Vec<Piece>,
    /// Black sees the board rotated, not mirrored.
    pub(super) is_rotated: bool,
}

impl<'a> Reader<'a> {
    /// The size of the board and the pieces are read first.
    pub(super) fn new(keys: &'a Keys, remarks: &'a mut Vec<Diagnostic>) -> Self {
        let (rows, columns, pieces) = (8, 8, Vec::new());
        let mut reader = Self { keys, remarks, rows, columns, pieces, is_rotated: false };
        reader.rows = reader.side("maxRank");
        reader.columns = reader.side("maxFile");
        reader.read_pieces();
        reader.is_rotated = reader.tells_left_from_right();
        reader
    }

    pub(super) fn wrong(&mut self, span: Span, message: impl Into<String>) {
        self.remarks.push(Diagnostic::new(Code::IniValue, span, message));
    }

    /// Rows or columns of the board; columns may be a letter.
    fn side(&mut self, key: &str) -> i32 {
        let Some(value) = self.keys.get(key) else { return 8 };
        let letter = match value.value.as_bytes() {
            [letter @ b'a'..=b'l'] => Some(i32::from(letter - b'a') + 1),
            _ => None,
        };
        match letter.or_else(|| value.value.parse().ok()).filter(|side| (1..=12).contains(side)) {
            Some(side) => side,
            None => {
                self.wrong(value.span, format!("'{key}' is 1 to 12, not '{}'", value.value));
                8
            }
        }
    }

    /// A value of one of a few words, or a number.
    pub(super) fn value<T: FromStr>(&mut self, key: &str, default: T, expected: &str) -> T {
        let Some(value) = self.keys.get(key) else { return default };
        match value.value.parse() {
            Ok(value) => value,
            Err(_) => {
                self.wrong(value.span, format!("'{key}' is {expected}, not '{}'", value.value));
                default
            }
        }
    }

    pub(super) fn flag(&mut self, key: &str, default: bool) -> bool {
        self.value(key, default, "true or false")
    }

    pub(super) fn verdict(&mut self, key: &str, default: &'static str) -> String {
        let Some(value) = self.keys.get(key) else { return default.to_owned() };
        match value.value.as_str() {
            "win" | "loss" | "draw" => value.value.clone(),
            other => {
                self.wrong(value.span, format!("'{key}' is win, loss or draw, not '{other}'"));
                default.to_owned()
            }
        }
    }

    /// Whether the game or a parent says something about it.
    pub(super) fn has(&self, key: &str) -> bool {
        self.keys.get(key).is_some()
    }

    /// A remark upon a key whose value has no effect here.
    pub(super) fn left_out(&mut self, key: &str, why: &str) {
        if let Some(value) = self.keys.get(key) {
            let message = format!("'{key} = {}' is left out: {why}", value.value);
            self.remarks.push(Diagnostic::new(Code::LeftOut, value.span, message));
        }
    }

    /// Warns, once, of a default that is not taken over: Fairy-Stockfish's are those of eight rows on
    /// every board.
    pub(super) fn warn_of_default(&mut self, key: &str, default: &str, instead: &str) {
        if self.rows == 8 || self.has(key) {
            return;
        }
        let span = self.keys.get("maxRank").map_or(Span::default(), |value| value.span);
        let message = format!("the default '{key} = {default}' is left out: {instead}");
        let help = format!("write {key} into the file, as the game has it");
        let remark = Diagnostic::new(Code::LeftOut, span, message).help(help);
        if !self.remarks.contains(&remark) {
            self.remarks.push(remark);
        }
    }

    fn region(&mut self, key: &str, default: Vec<Place>) -> Vec<Place> {
        match self.keys.get(key).map(region) {
            None => default,
            Some(Ok(places)) => places,
            Some(Err(remark)) => {
                self.remarks.push(remark);
                Vec::new()
            }
        }
    }

    /// Why a region of Black is left out.
    pub(super) const fn why_not_black(&self) -> &'static str {
        match self.is_rotated {
            true => "Black has the rotated image of White's",
            false => "Black has the mirror image of White's",
        }
    }

    /// A region of White, a row without the key; that of Black has to be its image.
    pub(super) fn region_of_white(&mut self, key: &str, row: i32) -> Vec<Place> {
        self.region_of_white_or(key, &[Place { row, column: None }])
    }

    /// The same with other squares without the key.
    pub(super) fn region_of_white_or(&mut self, key: &str, default: &[Place]) -> Vec<Place> {
        let white = self.region(&format!("{key}White"), default.to_vec());
        let other = format!("{key}Black");
        let (rows, columns) = (self.rows, self.is_rotated.then_some(self.columns));
        let black = self.region(&other, turned(default, rows, columns));
        if turned(&black, rows, columns) != white {
            let keys = self.keys;
            let span = keys.get(&other).or_else(|| keys.get(&format!("{key}White")));
            let message = format!("'{other}' is left out: {}", self.why_not_black());
            let span = span.map_or(Span::default(), |value| value.span);
            self.remarks.push(Diagnostic::new(Code::LeftOut, span, message));
        }
        white
    }

    fn read_pieces(&mut self) {
        let keys = self.keys;
        for entry in keys.pieces() {
            let (letter, moves) = match entry.value.value.split_once(':') {
                Some((letter, moves)) => (letter.trim(), Some(moves.trim())),
                None => (entry.value.value.as_str(), None),
            };
            let mut letters = letter.chars();
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                self.wrong(entry.value.span, "a piece is one letter, or letter:moves");
                continue;
            };
            if !letter.is_ascii_alphabetic() {
                self.wrong(entry.value.span, format!("'{letter}' is no letter"));
                continue;
            }
            let letter = letter.to_ascii_lowercase();
            let betza = moves.unwrap_or(pieces::moves(&entry.key.value).unwrap_or_default());
            if let Some(moves) = moves {
                self.check_betza(&entry.value, moves);
            }
            let (key, betza) = (entry.key.value.clone(), betza.to_owned());
            self.pieces.push(Piece { key, letter, betza });
        }
    }

    /// Remarks upon what this program does not read, or reads in another way.
    fn check_betza(&mut self, value: &Word, moves: &str) {
        let lead = value.value.chars().count() - moves.chars().count();
        let column = value.span.column + lead as u32;
        let span = Span { column, length: moves.chars().count() as u32, ..value.span };
        match self.moves(&Word::new(moves.to_owned(), span)) {
            Err(remark) => self.remarks.push(remark),
            Ok(_) if moves.contains('i') => {
                let message =
                    "'i' is read as 'while unmoved', in Fairy-Stockfish it means a region";
                self.remarks.push(Diagnostic::new(Code::LeftOut, span, message));
            }
            Ok(_) => {}
        }
    }

    fn moves(&self, betza: &Word) -> Result<Vec<MoveText>, Diagnostic> {
        let size = Size { rows: self.rows, columns: self.columns };
        betza::moves(betza, Dialect::XBetza, size)
    }

    /// Returns `true` if some piece lacks the mirror image of one of its moves.
    fn tells_left_from_right(&self) -> bool {
        self.pieces.iter().map(|piece| &piece.betza).any(|betza| {
            let mirrored = betza::exchanged(betza, ['l', 'r']);
            let moves = |text: &str| self.moves(&Word::new(text.to_owned(), Span::default()));
            // What cannot be read has been reported.
            let (Ok(own), Ok(others)) = (moves(betza), moves(&mirrored)) else { return false };
            !own.iter().all(|text| others.contains(text))
        })
    }

    /// The letters of a set of pieces. Letters of no piece are reported.
    pub(super) fn set(&mut self, key: &str) -> Option<Vec<char>> {
        let value = self.keys.get(key)?;
        let mut letters = Vec::new();
        for letter in value.value.chars().filter(|c| !c.is_whitespace() && *c != '-') {
            let letter = letter.to_ascii_lowercase();
            match self.pieces.iter().any(|piece| piece.letter == letter) {
                true => letters.push(letter),
                false => self.wrong(value.span, format!("there is no piece '{letter}'")),
            }
        }
        Some(letters)
    }

    /// The letter of the piece that a key defines.
    pub(super) fn letter_of(&self, key: &str) -> Option<char> {
        self.pieces.iter().find(|piece| piece.key == key).map(|piece| piece.letter)
    }
}
