//! Variations of a game as JSON, with the moves that are legal in coordinates.

use serde_json::{Value, json};
use tamarin_movegen::{CastlingNotation, Move, Position};

use tamarin_game::pgn::comment::prose;
use tamarin_game::pgn::{NULL_MOVE, Token, Word, is_null_move, variations};
use tamarin_game::variation;

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
            Token::San(_) | Token::Other(_) => token.move_text().map(|text| self.play(text)),
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
            Token::Number(_) | Token::Escape(_) | Token::Result(_) => None,
        }
    }

    fn play(&mut self, text: &str) -> Value {
        let Some(last) = self.boards.last_mut() else { return json!({ "san": text }) };
        let Some((board, mv)) = last.as_mut().and_then(|board| board.play(text)) else {
            // Behind a move that is illegal or cannot be read nothing is known.
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

#[cfg(test)]
mod tests {
    use tamarin_game::pgn::games::GameText;
    use tamarin_game::pgn::read;
    use tamarin_movegen::CastlingNotation;

    use super::write;

    /// The words of the only variation behind the move with this index: SAN and coordinates.
    fn side_line(text: &str, index: usize) -> Vec<String> {
        let game = read(&GameText { bytes: text.into(), ..GameText::default() }).expect("a game");
        let mut before = game.start.clone();
        game.moves[..index].iter().for_each(|played| played.play(&mut before));
        let lines = write(&game.moves[index].words, &before, CastlingNotation::Classic);
        let words = lines[0].as_array().expect("a variation");
        let text = |word: &serde_json::Value| {
            let field = |name: &str| word[name].as_str().unwrap_or("?").to_owned();
            format!("{} {}", field("san"), field("uci"))
        };
        words.iter().map(text).collect()
    }

    #[test]
    fn moves_in_other_notations_are_played() {
        let long = "1. e4 e5 (1... c7-c5 2. Ng1-f3 d6 3. d2-d4) 2. Nf3 Nc6 1/2-1/2";
        assert_eq!(side_line(long, 1), ["c5 c7c5", "Nf3 g1f3", "d6 d7d6", "d4 d2d4"]);
        let start = "6k1/5ppp/r7/8/8/8/5PPP/3R2K1 w - - 0 30";
        let assessed = format!("[FEN \"{start}\"]\n\n30. g3 (30. Rd4= Rd6 N 31. h3) 30... g6 *");
        assert_eq!(side_line(&assessed, 0), ["Rd4 d1d4", "Rd6 a6d6", "h3 h2h3"]);
        let german = "1. e4 e5 (1... Sf6 2. d4) 2. Nf3 *";
        assert_eq!(side_line(german, 1), ["Sf6 ?", "d4 ?"]);
    }
}
