//! Moves as text in the manner of SAN.

use std::collections::HashMap;

use super::Position;
use super::text::dropped_text;
use crate::board::{Code, Move, Square};
use crate::fen_text;
use crate::instance::Act;
use crate::square_text;

/// A piece of this name has no letter, and a capture by it begins with its column.
const PAWN: &str = "p";

/// From where pieces of each kind go to a square.
type Origins = HashMap<(Square, Code), Vec<Square>>;

fn origins(position: &Position, moves: &[Move]) -> Origins {
    let mut origins = Origins::new();
    for m in moves {
        if let Some(from) = m.origin() {
            origins.entry((m.to, position.state.code(from))).or_default().push(from);
        }
    }
    origins
}

/// What the texts of all legal moves have in common: made once for all of them.
struct Bodies {
    origins: Origins,
    /// How many moves have each text without the sign of check.
    counts: HashMap<String, usize>,
}

impl Bodies {
    fn of(position: &Position, moves: &[Move]) -> Self {
        let origins = origins(position, moves);
        let mut counts = HashMap::new();
        for body in moves.iter().filter_map(|&m| position.san_body(m, &origins)) {
            *counts.entry(body).or_default() += 1;
        }
        Self { origins, counts }
    }
}

impl Position {
    /// The text of a legal move in the manner of SAN: the letter of the piece (none for `p`),
    /// where it comes from if that is not clear, `x` if it captures, its target, `=` and what it
    /// becomes, `+` or `#`; castling is `O-O` to the right and `O-O-O` to the left, and a drop is
    /// `P@e4`; `/H` behind a move says what it gates, with the square after castling (`O-O/He1`). Where pieces have longer names, or two legal moves would look alike, it is [`text`](Self::text).
    pub fn san(&self, m: Move) -> String {
        let moves = self.legal_moves();
        let bodies = Bodies::of(self, &moves);
        self.san_among(m, &moves, &bodies, &mut self.clone())
    }

    /// These texts of all legal moves, in the order of generation.
    pub fn sans(&self) -> Vec<(String, Move)> {
        let moves = self.legal_moves();
        let bodies = Bodies::of(self, &moves);
        let mut board = self.clone();
        moves.iter().map(|&m| (self.san_among(m, &moves, &bodies, &mut board), m)).collect()
    }

    /// `board` is this position, on which moves are tried.
    fn san_among(&self, m: Move, moves: &[Move], bodies: &Bodies, board: &mut Self) -> String {
        let body = self.san_body(m, &bodies.origins).filter(|body| bodies.counts[body] == 1);
        let Some(mut text) = body else { return self.text_among(m, moves) };
        board.make(m);
        if board.in_check() {
            text.push(if board.has_legal_move() { '+' } else { '#' });
        }
        board.unmake();
        text
    }

    /// The legal moves that have this text, without the sign of check.
    pub(super) fn moves_of(&self, body: &str, moves: &[Move]) -> Vec<Move> {
        let origins = origins(self, moves);
        let with = |is: &dyn Fn(&str) -> bool| -> Vec<Move> {
            let same = |&m: &Move| self.san_body(m, &origins).is_some_and(|other| is(&other));
            moves.iter().copied().filter(same).collect()
        };
        let found = with(&|other| other == body);
        match body.strip_prefix('P') {
            Some(plain) if found.is_empty() => with(&|other| {
                other == plain || plain.starts_with('x') && other.get(1..) == Some(plain)
            }),
            _ => found,
        }
    }

    /// The text without the sign of check; `None` for pieces with long names.
    fn san_body(&self, m: Move, origins: &Origins) -> Option<String> {
        let game = self.game();
        let name = |piece: usize| game.pieces[piece].name.value.as_str();
        let code = self.state.moving(m);
        let own = name(code.piece());
        fen_text::letter(own)?;
        if m.dropped().is_some() {
            return Some(dropped_text(own) + &square_text::write(m.to, game.columns));
        }
        let castling = self.castles_right(m).map(|right| if right { "O-O" } else { "O-O-O" });
        let gating = match game.effects(code, m).and_then(|info| info.gates) {
            None => String::new(),
            Some((kind, square)) => {
                let gated = name(usize::from(kind));
                fen_text::letter(gated)?;
                let square = castling.map(|_| square_text::write(square, game.columns));
                format!("/{}{}", gated.to_uppercase(), square.unwrap_or_default())
            }
        };
        if let Some(castling) = castling {
            return Some(castling.to_owned() + &gating);
        }
        let captures = self.is_capture(m);
        let mut text = if own == PAWN { String::new() } else { own.to_uppercase() };
        text += &self.origin(m, &origins[&(m.to, code)], own == PAWN && captures);
        if captures {
            text.push('x');
        }
        text += &square_text::write(m.to, game.columns);
        if let Some(created) = game.effects(code, m).and_then(|info| info.created) {
            let created = name(usize::from(created));
            fen_text::letter(created)?;
            text += &format!("={}", created.to_uppercase());
        }
        Some(text + &gating)
    }

    /// As little of the square that the piece comes from as the move needs beside its like:
    /// nothing, its column, its row or both.
    fn origin(&self, m: Move, alike: &[Square], with_column: bool) -> String {
        let columns = self.game().columns;
        let rivals: Vec<Square> = alike.iter().copied().filter(|&from| from != m.from).collect();
        let square = square_text::write(m.from, columns);
        let (column, row) = square.split_at(1);
        let shared_column = rivals.iter().any(|from| from % columns == m.from % columns);
        let shared_row = rivals.iter().any(|from| from / columns == m.from / columns);
        match (rivals.is_empty(), shared_column, shared_row) {
            (true, ..) if !with_column => String::new(),
            (_, false, _) => column.to_owned(),
            (_, true, false) if !with_column => row.to_owned(),
            _ => square,
        }
    }

    /// For a castling, whether it is with the piece on the right.
    fn castles_right(&self, m: Move) -> Option<bool> {
        let game = self.game();
        let info = game.effects(self.state.code(m.from), m)?;
        let color = self.side_to_move();
        let mut castlings = game.castlings.iter().filter(|c| c.color == color && c.king == m.from);
        let moved = |partner| {
            let mut acts = game.acts(info).iter();
            acts.any(|act| matches!(*act, Act::Shift(from, _) if from == partner))
        };
        let castling = castlings.find(|castling| moved(castling.partner))?;
        Some(castling.partner % game.columns > castling.king % game.columns)
    }
}
