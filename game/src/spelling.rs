//! Moves as the protocols write them.

use tamarin_movegen::{self as chess, CastlingNotation, SanError, UciMove, UciMoveError};
use tamarin_uci::Excerpt;
use tamarin_variant::MoveTextError;

use crate::position::{Move, Position};

/// How the moves of a protocol are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    Uci(CastlingNotation),
    /// Coordinates, rows from 0 on boards with ten of them; castling in Chess960 is `O-O` or
    /// `O-O-O`. SAN is read too.
    XBoard(CastlingNotation),
}

impl Spelling {
    /// How a null move is written.
    pub const fn null_move(self) -> &'static str {
        match self {
            Self::Uci(_) => "0000",
            Self::XBoard(_) => "@@@@",
        }
    }
}

impl Position {
    /// The legal move that a client means.
    ///
    /// # Errors
    /// Why no legal move is meant; an XBoard client quotes the move itself.
    pub fn read(&self, text: &str, spelling: Spelling) -> Result<Move, String> {
        match (self, spelling) {
            (Self::Chess(position, _), Spelling::Uci(_)) => {
                let coordinates: UciMove =
                    text.parse().map_err(|_| format!("{} is not a move", Excerpt::from(text)))?;
                let found = position.resolve(coordinates).map_err(|error| error.to_string());
                found.map(Move::Chess)
            }
            (Self::Chess(position, _), Spelling::XBoard(_)) => {
                read_for_xboard(position, text).map(Move::Chess)
            }
            (Self::Variant(position), Spelling::Uci(_)) => {
                let found = position.parse_move(text).map_err(|error| match error {
                    MoveTextError::Illegal(text) => {
                        format!("{} is no legal move", Excerpt::from(text.as_str()))
                    }
                    other => other.to_string(),
                });
                found.map(Move::Variant)
            }
            (Self::Variant(position), Spelling::XBoard(_)) => {
                let found = position.parse_xboard_move(text).map_err(|error| match error {
                    MoveTextError::Ambiguous { moves, .. } => {
                        format!("it may be {}", moves.join(" or "))
                    }
                    _ => "the rules of this variant have no such move here".to_owned(),
                });
                found.map(Move::Variant)
            }
        }
    }

    /// A legal move as a protocol writes it.
    pub fn write(&self, mv: Move, spelling: Spelling) -> String {
        match (self, mv, spelling) {
            (
                Self::Chess(position, _),
                Move::Chess(mv),
                Spelling::XBoard(CastlingNotation::KingTakesRook),
            ) if mv.is_castle() => {
                position.san(mv).as_str().trim_end_matches(['+', '#']).to_owned()
            }
            (
                Self::Chess(position, _),
                Move::Chess(mv),
                Spelling::Uci(notation) | Spelling::XBoard(notation),
            ) => position.uci(mv, notation).to_string(),
            (Self::Variant(position), Move::Variant(mv), Spelling::Uci(_)) => position.text(mv),
            (Self::Variant(position), Move::Variant(mv), Spelling::XBoard(_)) => {
                position.xboard_text(mv)
            }
            _ => String::new(),
        }
    }

    /// Moves as a protocol writes them; each is legal after those before it.
    pub fn write_line(
        &self,
        moves: impl IntoIterator<Item = Move>,
        spelling: Spelling,
    ) -> Vec<String> {
        let mut position = self.clone();
        let write = |mv| {
            let text = position.write(mv, spelling);
            position.advance(mv);
            text
        };
        moves.into_iter().map(write).collect()
    }
}

/// The legal move in coordinates, as `O-O`, or in SAN.
fn read_for_xboard(position: &chess::Position, text: &str) -> Result<chess::Move, String> {
    if let Ok(coordinates) = text.parse::<UciMove>() {
        return position.resolve(coordinates).map_err(|error| match error {
            UciMoveError::Illegal { reason, .. } => reason.to_string(),
            other => other.to_string(),
        });
    }
    position.parse_san(text).map_err(|error| match error {
        SanError::Illegal { reason, .. } => reason.to_string(),
        other => other.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Position, Spelling};
    use crate::position::Castling;
    use tamarin_movegen::CastlingNotation;

    #[test]
    fn castling_is_read_in_every_way_and_printed_as_the_protocol_wants() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let position = tamarin_movegen::Position::from_fen(fen).expect("legal");
        let position = Position::Chess(Box::new(position), Castling::Classic);
        let classic = Spelling::XBoard(CastlingNotation::Classic);
        let chess960 = CastlingNotation::KingTakesRook;
        for text in ["e1g1", "e1h1", "O-O", "0-0"] {
            let castle = position.read(text, classic).expect("legal");
            assert_eq!(position.write(castle, classic), "e1g1");
            assert_eq!(position.write(castle, Spelling::XBoard(chess960)), "O-O");
            assert_eq!(position.write(castle, Spelling::Uci(chess960)), "e1h1");
        }
        let reason = position.read("e1e3", classic).expect_err("too far");
        assert_eq!(reason, "no piece can move that way");
        assert!(position.read("O-O", Spelling::Uci(chess960)).is_err());
    }
}
