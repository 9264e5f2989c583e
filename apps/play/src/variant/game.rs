//! A game of a variant: its moves, and its PGN.

use std::io;
use std::sync::Arc;

use tamarin_uci::Excerpt;
use tamarin_variant::{Color, Game, Move, MoveTextError, Outcome, Position};
use tamarin_variant_search::Judge;
use tamarin_variant_search::evaluate::learned::Learned;

use tamarin_notation::pgn::{Movetext, write_tag};

/// A game of a variant from a position on.
pub struct VariantGame {
    name: String,
    /// What evaluates it, if it was learned and is beside the file of the rules.
    learned: Option<Arc<Learned>>,
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// What was taken back, the next move last.
    undone: Vec<Move>,
}

/// Why a game cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{0}")]
    File(#[from] io::Error),
    #[error("there is no game {0}")]
    Missing(usize),
    #[error("it is a game of {found:?}, not of {wanted:?}")]
    Variant { found: String, wanted: String },
    #[error("{0}")]
    Content(String),
}

/// A game of a PGN file as it stands there.
#[derive(Default)]
struct Record {
    tags: Vec<(String, String)>,
    moves: Vec<String>,
}

impl VariantGame {
    /// A game without moves.
    pub fn new(name: String, start: Position) -> Self {
        Self {
            name,
            learned: None,
            position: start.clone(),
            start,
            moves: Vec::new(),
            undone: Vec::new(),
        }
    }

    /// The same, evaluated by what was learned.
    pub fn with_learned(self, learned: Option<Arc<Learned>>) -> Self {
        Self { learned, ..self }
    }

    pub fn judge(&self) -> Judge {
        Judge::playing(self.position.game(), self.learned.as_ref())
    }

    /// Reads the game with that number, from 1, of a PGN text.
    pub fn load(
        text: &str,
        number: usize,
        name: &str,
        rules: &Arc<Game>,
    ) -> Result<Self, LoadError> {
        let record = records(text).into_iter().nth(number - 1).ok_or(LoadError::Missing(number))?;
        let tag = |wanted: &str| {
            record.tags.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.as_str())
        };
        if let Some(found) = tag("Variant").filter(|found| !found.eq_ignore_ascii_case(name)) {
            let (found, wanted) = (found.to_owned(), name.to_owned());
            return Err(LoadError::Variant { found, wanted });
        }
        let start = match tag("FEN") {
            Some(fen) => Position::from_fen(rules, fen)
                .map_err(|error| LoadError::Content(error.to_string()))?,
            None => Position::start(rules),
        };
        let mut game = Self::new(name.to_owned(), start);
        for (i, text) in record.moves.iter().enumerate() {
            let found = find_move(&game.position, text);
            let m = found.map_err(|why| LoadError::Content(format!("move {}: {why}", i + 1)))?;
            game.play(m);
        }
        Ok(game)
    }

    /// The position on the board, with those before it for repetitions.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// What the variant is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Begins anew, from the start position of the variant or from another one.
    pub fn restart(&mut self, start: Option<Position>) {
        let start = start.unwrap_or_else(|| Position::start(self.start.game()));
        *self = Self::new(std::mem::take(&mut self.name), start);
    }

    /// Plays a legal move; what was taken back is forgotten.
    pub fn play(&mut self, m: Move) {
        self.undone.clear();
        self.advance(m);
    }

    fn advance(&mut self, m: Move) {
        self.position.make(m);
        self.moves.push(m);
    }

    /// Takes a move back; `false` at the start.
    pub fn undo(&mut self) -> bool {
        let Some(m) = self.moves.pop() else { return false };
        self.position.unmake();
        self.undone.push(m);
        true
    }

    /// Plays a move again that was taken back; `false` without such a move.
    pub fn redo(&mut self) -> bool {
        let Some(m) = self.undone.pop() else { return false };
        self.advance(m);
        true
    }

    /// How many moves a side has made.
    pub fn moves_of(&self, color: Color) -> u32 {
        let first = usize::from(self.start.side_to_move() == color);
        u32::try_from((self.moves.len() + first) / 2).unwrap_or(u32::MAX)
    }

    /// The position after `plies` plies.
    pub fn position_after(&self, plies: usize) -> Position {
        let mut position = self.start.clone();
        self.moves.iter().take(plies).for_each(|&m| position.make(m));
        position
    }

    /// How many moves were made.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// How the game has ended by the rules.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    pub fn moves(&self) -> String {
        let mut text = Movetext::default();
        self.write_moves(&mut text);
        text.finish()
    }

    fn write_moves(&self, text: &mut Movetext) {
        let mut position = self.start.clone();
        for (i, &m) in self.moves.iter().enumerate() {
            match position.side_to_move() {
                Color::White => text.push(&format!("{}.", position.fullmoves())),
                Color::Black if i == 0 => text.push(&format!("{}...", position.fullmoves())),
                Color::Black => {}
            }
            text.push(&position.san(m));
            position.make(m);
        }
    }

    /// The game as PGN with the names of both sides and the result.
    pub fn pgn(&self, [white, black]: [&str; 2], result: &str) -> String {
        let mut text = String::new();
        let tags = [
            ("Event", "Casual game"),
            ("Site", "Tamarin"),
            ("Date", "????.??.??"),
            ("Round", "-"),
            ("White", white),
            ("Black", black),
            ("Result", result),
            ("Variant", &self.name),
        ];
        tags.into_iter().for_each(|(name, value)| write_tag(&mut text, name, value));
        if !self.start.same_as(&Position::start(self.start.game())) {
            write_tag(&mut text, "SetUp", "1");
            write_tag(&mut text, "FEN", &self.start.fen());
        }
        let mut moves = Movetext::default();
        self.write_moves(&mut moves);
        moves.push(result);
        format!("{text}\n{}", moves.finish())
    }
}

/// The legal move that somebody means, in coordinates or in the manner of SAN.
///
/// # Errors
/// If no legal move is meant: why, with no more of the text than its beginning.
pub fn find_move(position: &Position, text: &str) -> Result<Move, String> {
    position.parse_move(text).map_err(|error| match error {
        MoveTextError::Illegal(text) => {
            format!("{} is no legal move", Excerpt::from(text.as_str()))
        }
        other => other.to_string(),
    })
}

/// The games of a PGN text. Moves of variants are no SAN that a reader of chess would take.
fn records(text: &str) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::new();
    let mut rest = String::new();
    let finish = |record: Option<&mut Record>, movetext: &mut String| {
        if let Some(record) = record {
            record.moves = moves(movetext);
        }
        movetext.clear();
    };
    let mut in_tags = false;
    for line in text.lines() {
        if let Some(tag) = tag(line) {
            if !in_tags {
                finish(records.last_mut(), &mut rest);
                records.push(Record::default());
            }
            in_tags = true;
            records.last_mut().into_iter().for_each(|record| record.tags.push(tag.clone()));
        } else if !line.trim().is_empty() {
            if records.is_empty() {
                records.push(Record::default());
            }
            in_tags = false;
            // A semicolon begins a comment up to the end of the line.
            rest.push_str(line.split(';').next().unwrap_or_default());
            rest.push('\n');
        }
    }
    finish(records.last_mut(), &mut rest);
    records
}

/// `[Name "value"]`
fn tag(line: &str) -> Option<(String, String)> {
    let inner = line.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (name, value) = inner.split_once(char::is_whitespace)?;
    let value = value.trim().strip_prefix('"')?.strip_suffix('"')?;
    Some((name.to_owned(), value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// The moves of a text without its comments, variations, numbers and result.
fn moves(text: &str) -> Vec<String> {
    let mut depth = 0_u32;
    let mut in_comment = false;
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            '}' => in_comment = false,
            _ if in_comment => {}
            '{' if depth == 0 => in_comment = true,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => plain.push(c),
            _ => {}
        }
    }
    let is_number = |word: &str| word.ends_with('.') && !word.contains(char::is_alphabetic);
    let words = plain.split_whitespace();
    let words = words.map(|word| word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    let results = ["1-0", "0-1", "1/2-1/2", "*"];
    plain
        .split_whitespace()
        .zip(words)
        .filter(|(word, _)| !results.contains(word) && !word.starts_with('$') && !is_number(word))
        .map(|(word, rest)| if word.contains('.') { rest } else { word })
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::VariantGame;
    use tamarin_variant::{Position, builtin};

    #[test]
    fn games_are_written_and_read_again() {
        let rules = builtin("capablanca").unwrap();
        let mut game = VariantGame::new("capablanca".to_owned(), Position::start(&rules));
        for text in ["e2e4", "j7j5", "b1c3"] {
            let m = game.position().parse_move(text).unwrap();
            game.play(m);
        }
        let pgn = game.pgn(["A \"B\"", "C"], "*");
        assert!(pgn.contains("[White \"A \\\"B\\\"\"]\n"), "{pgn}");
        assert!(pgn.ends_with("\n1. e4 j5 2. Nc3 *\n"), "{pgn}");
        let twice = format!("{pgn}\n{}", pgn.replace("2. Nc3", "{a (b} 2.Na3 (2. Nc3 $1) ; no\n"));
        let load = |number| VariantGame::load(&twice, number, "capablanca", &rules);
        assert!(load(1).unwrap().position().same_as(game.position()));
        assert!(load(2).unwrap().position().fen().contains("/N"));
        assert_eq!(load(3).err().unwrap().to_string(), "there is no game 3");
        let other = VariantGame::load(&pgn, 1, "fide", &rules).err().unwrap();
        assert_eq!(other.to_string(), "it is a game of \"capablanca\", not of \"fide\"");
    }

    #[test]
    fn moves_are_taken_back_and_played_again() {
        let rules = builtin("minixiangqi").unwrap();
        let mut game = VariantGame::new("minixiangqi".to_owned(), Position::start(&rules));
        assert!(!game.undo() && !game.redo());
        let m = game.position().legal_moves()[0];
        game.play(m);
        let after = game.position().clone();
        assert!(game.undo() && game.position().same_as(&Position::start(&rules)));
        assert!(game.redo() && game.position().same_as(&after) && !game.redo());
    }
}
