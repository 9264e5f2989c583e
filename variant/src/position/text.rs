//! Moves as text.

use super::Position;
use crate::board::Move;
use crate::fen_text;
use crate::square_text;

/// Why a text is no move of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MoveTextError {
    #[error("{0:?} is no legal move")]
    Illegal(String),
    #[error("{text:?} may be {}", .moves.join(" or "))]
    Ambiguous { text: String, moves: Vec<String> },
}

impl Position {
    /// The text of a legal move: both squares and the piece that appears on the second (`a7a8q`;
    /// `+` for the promoted form of the piece itself); for a drop the piece, `@` and the square
    /// (`P@e4`, capitals for both sides). The piece that a move gates stands last (`b1c3h`); if it comes
    /// to the square of a piece taken along, that one and the square of the piece that moves stand
    /// first (`h1e1h`). Where several legal moves have that text,
    /// it goes on with `/` and their number in the order of generation.
    pub fn text(&self, m: Move) -> String {
        let moves = self.legal_moves();
        self.text_among(m, &moves)
    }

    /// The texts of all legal moves, in the order of generation.
    pub fn texts(&self) -> Vec<(String, Move)> {
        let moves = self.legal_moves();
        moves.iter().map(|&m| (self.text_among(m, &moves), m)).collect()
    }

    /// The legal move of a text, be it as [`text`](Self::text) writes it (the number may be left
    /// out if it is 1) or as [`san`](Self::san) does, with or without the sign of check. Pawns may have
    /// their letter, and then need no column where they capture, as Fairy-Stockfish writes them.
    ///
    /// # Errors
    /// If no legal move has that text, or several have it.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let texts = self.texts();
        let text = &capital_drop(text);
        let exact = |wanted: &str| texts.iter().find(|(t, _)| t == wanted).map(|&(_, m)| m);
        if let Some(m) = exact(text).or_else(|| exact(&format!("{text}/1"))) {
            return Ok(m);
        }
        let moves: Vec<Move> = texts.iter().map(|&(_, m)| m).collect();
        let body = text.trim_end_matches(['+', '#']);
        let own = body.starts_with(['H', 'E']).then(|| self.game().xiangqi_letter(&body[..1]));
        let body = match own.flatten() {
            Some(own) => own.to_uppercase() + &body[1..],
            None if body.starts_with("0-0") => body.replace('0', "O"),
            None => body.to_owned(),
        };
        match self.moves_of(&body, &moves).as_slice() {
            [] => Err(MoveTextError::Illegal(text.to_owned())),
            [m] => Ok(*m),
            several => Err(MoveTextError::Ambiguous {
                text: text.to_owned(),
                moves: several.iter().map(|&m| self.text_among(m, &moves)).collect(),
            }),
        }
    }

    pub(super) fn text_among(&self, m: Move, moves: &[Move]) -> String {
        let text = self.short_text(m);
        let same: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|other| (other.from, other.to) == (m.from, m.to))
            .filter(|&other| self.short_text(other) == text)
            .collect();
        match same.iter().position(|&other| other == m) {
            Some(number) if same.len() > 1 => format!("{text}/{}", number + 1),
            _ => text,
        }
    }

    fn short_text(&self, m: Move) -> String {
        let game = self.game();
        let code = self.state.moving(m);
        let created = game.effects(code, m).and_then(|info| info.created);
        let square = |square| square_text::write(square, game.columns);
        let gated = game.effects(code, m).and_then(|info| info.gates);
        let mut text = match (m.dropped(), gated) {
            (Some(kind), _) => dropped_text(game.piece_name(kind)) + &square(m.to),
            (None, Some((_, gate))) if gate != m.from => square(gate) + &square(m.from),
            (None, _) => square(m.from) + &square(m.to),
        };
        if let Some(piece) = created {
            let name = &game.pieces[usize::from(piece)].name.value;
            let own = &game.pieces[code.piece()].name.value;
            let promoted = name.strip_prefix('+') == Some(own.as_str());
            match fen_text::letter(name) {
                _ if promoted => text.push('+'),
                Some(_) => text += &name.to_lowercase(),
                None => text += &format!("={name}"),
            }
        }
        if let Some((kind, _)) = gated {
            let name = game.piece_name(kind);
            match fen_text::letter(name) {
                Some(_) => text += &name.to_lowercase(),
                None => text += &format!("={name}"),
            }
        }
        text
    }
}

/// A piece that is dropped, as texts of moves begin: a letter as a capital, or a longer name.
pub(super) fn dropped_text(name: &str) -> String {
    match fen_text::letter(name) {
        Some(_) => format!("{}@", name.to_uppercase()),
        None => format!("{name}@"),
    }
}

/// The text of a drop as it is written: `P@e4` for `p@e4` and `@e4`. Other texts stay as they are.
fn capital_drop(text: &str) -> String {
    match text.split_once('@') {
        Some(("", square)) => format!("P@{square}"),
        Some((name, square)) if fen_text::letter(name).is_some() => {
            format!("{}@{square}", name.to_uppercase())
        }
        _ => text.to_owned(),
    }
}
