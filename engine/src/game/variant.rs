//! Positions of variants.

use std::sync::Arc;

use tamarin_uci::xboard::Reply;
use tamarin_uci::{Base, Excerpt};
use tamarin_variant::{Color, Game as Rules, Move, MoveTextError, Outcome, Position};

use super::played::Board;
use super::spelling::Spelling;
use tamarin_variant::ending;

impl Board for Position {
    type Move = Move;

    fn mover(&self) -> tamarin_movegen::Color {
        match self.side_to_move() {
            Color::White => tamarin_movegen::Color::White,
            Color::Black => tamarin_movegen::Color::Black,
        }
    }

    fn advance(&mut self, mv: Move) {
        self.make(mv);
    }

    fn moves(&self) -> Vec<Move> {
        self.legal_moves()
    }

    fn read(&self, text: &str, spelling: Spelling) -> Result<Move, String> {
        match spelling {
            Spelling::Uci(_) => self.parse_move(text).map_err(|error| match error {
                MoveTextError::Illegal(text) => {
                    format!("{} is no legal move", Excerpt::from(text.as_str()))
                }
                other => other.to_string(),
            }),
            // The client quotes the move itself.
            Spelling::XBoard(_) => self.parse_xboard_move(text).map_err(|error| match error {
                MoveTextError::Ambiguous { moves, .. } => {
                    format!("it may be {}", moves.join(" or "))
                }
                _ => "the rules of this variant have no such move here".to_owned(),
            }),
        }
    }

    fn write(&self, mv: Move, spelling: Spelling) -> String {
        match spelling {
            Spelling::Uci(_) => self.text(mv),
            Spelling::XBoard(_) => self.xboard_text(mv),
        }
    }

    fn result(&self) -> Option<String> {
        let outcome = self.outcome()?;
        Some(Reply::Outcome(points(outcome), &ending(outcome)).to_string())
    }
}

/// The position before the first move of a variant.
pub fn set_up(rules: &Arc<Rules>, base: &Base) -> Result<Position, String> {
    let Base::Fen(fen) = base else { return Ok(Position::start(rules)) };
    Position::from_fen(rules, fen).map_err(|error| error.to_string())
}

const fn points(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}
