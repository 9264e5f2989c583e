//! Variations of a game as JSON, with the moves that are legal in coordinates.

use serde_json::{Value, json};
use tamarin_movegen::{CastlingNotation, Move, Position};

use tamarin_notation::pgn::comment::prose;
use tamarin_notation::pgn::{NULL_MOVE, Token, Word, is_null_move, variations};
use tamarin_notation::variation;

/// A null move in coordinates.
pub const NULL_UCI: &str = "0000";

/// Moves of variations that are deeper inside others are not looked up.
const MAX_DEPTH: usize = 32;

/// The variations behind a move, each a list of words; `before` is the position before it.
pub fn write(words: &[Word], before: &Position, notation: CastlingNotation) -> Vec<Value> {
    let ranges = variations(words).into_iter();
    let line = |range: std::ops::Range<usize>| {
        let mut writer = Writer { notation, boards: vec![None, Some(Board::new(before))] };
        let inside = &words[range.start + 1..range.end - 1];
        Value::Array(inside.iter().filter_map(|word| writer.word(&word.token)).collect())
    };
    ranges.map(line).collect()
}

/// The position of a variation before and after its last move.
#[derive(Clone)]
struct Board {
    before: Position,
    after: Position,
}

impl Board {
    fn new(position: &Position) -> Self {
        Self { before: position.clone(), after: position.clone() }
    }

    /// Plays a move, or passes; `None` if neither is possible.
    fn play(&mut self, text: &str) -> Option<(&Self, Option<Move>)> {
        let mv = match is_null_move(text) {
            true if self.after.in_check() => return None,
            true => None,
            false => Some(self.after.parse_san(text).ok()?),
        };
        self.before.clone_from(&self.after);
        match mv {
            Some(mv) => self.after.make(mv),
            None => self.after.make_null(),
        }
        Some((self, mv))
    }
}

struct Writer {
    notation: CastlingNotation,
    /// That of each variation that is open, if its moves are known.
    boards: Vec<Option<Board>>,
}

impl Writer {
    fn word(&mut self, token: &Token) -> Option<Value> {
        match token {
            Token::San(text) => Some(self.play(text)),
            Token::Glyph { code, .. } => Some(json!({ "nag": code })),
            Token::Comment(text) | Token::LineComment(text) => Some(prose(text))
                .filter(|text| !text.is_empty())
                .map(|text| json!({ "comment": text })),
            Token::Open => {
                let outer = self.boards.last().and_then(Option::as_ref);
                let inner = outer.filter(|_| self.boards.len() <= MAX_DEPTH);
                let inner = inner.map(|board| Board::new(&board.before));
                self.boards.push(inner);
                Some(json!({ "open": true }))
            }
            Token::Close => {
                self.boards.pop();
                Some(json!({ "close": true }))
            }
            Token::Number(_) | Token::Escape(_) | Token::Result(_) | Token::Other(_) => None,
        }
    }

    fn play(&mut self, text: &str) -> Value {
        let Some(last) = self.boards.last_mut() else { return json!({ "san": text }) };
        let Some((board, mv)) = last.as_mut().and_then(|board| board.play(text)) else {
            // Behind an illegal move nothing is known.
            *last = None;
            return json!({ "san": text });
        };
        let uci = |mv| board.before.uci(mv, self.notation).to_string();
        let uci = mv.map_or_else(|| NULL_UCI.to_owned(), uci);
        let san = |mv| board.before.san(mv).to_string();
        let san = mv.map_or_else(|| NULL_MOVE.to_owned(), san);
        json!({ "san": san, "uci": uci, "move": variation::number(&board.before) })
    }
}
