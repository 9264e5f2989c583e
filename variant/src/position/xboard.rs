//! Moves as XBoard writes them.

use super::{MoveTextError, Position};
use crate::board::{Move, Square};
use crate::game::Game;

/// Boards with this number of rows begin with row 0.
const ROWS_FROM_ZERO: u8 = 10;

impl Position {
    /// The text of a legal move as XBoard has it.
    pub fn xboard_text(&self, m: Move) -> String {
        shifted(self.game(), &self.text(m), -1)
    }

    /// The legal move that an XBoard client means.
    ///
    /// # Errors
    /// If no legal move has that text, or several have it.
    pub fn parse_xboard_move(&self, text: &str) -> Result<Move, MoveTextError> {
        let rules = self.game();
        // XBoard writes `=` behind a move of shogi that declines a promotion.
        let plain = text.strip_suffix('=').unwrap_or(text);
        self.parse_move(&shifted(rules, plain, 1)).map_err(|error| match error {
            MoveTextError::Ambiguous { moves, .. } => MoveTextError::Ambiguous {
                text: text.to_owned(),
                moves: moves.iter().map(|text| shifted(rules, text, -1)).collect(),
            },
            MoveTextError::Illegal(_) => MoveTextError::Illegal(text.to_owned()),
        })
    }
}

impl Game {
    /// The square that an XBoard client means.
    pub fn parse_xboard_square(&self, name: &str) -> Option<Square> {
        self.parse_square(&shifted(self, name, 1))
    }
}

/// A move, in coordinates or SAN, with other numbers of rows, on boards whose rows begin with 0
/// here.
fn shifted(rules: &Game, text: &str, by: i32) -> String {
    // The digits of castling are no rows.
    if rules.rows() != ROWS_FROM_ZERO || text.starts_with("0-0") {
        return text.to_owned();
    }
    // Neither are those in the name of a piece that is dropped or made, or behind `/`.
    let (dropped, rest) = text.split_at(text.find('@').map_or(0, |at| at + 1));
    let (squares, made) = rest.split_at(rest.find(['=', '/']).unwrap_or(rest.len()));
    let parts = squares.split_inclusive(|c: char| !c.is_ascii_digit()).map(|part| {
        let digits = part.trim_end_matches(|c: char| !c.is_ascii_digit());
        match digits.parse::<u8>() {
            Ok(row) => format!("{}{}", i32::from(row) + by, &part[digits.len()..]),
            Err(_) => part.to_owned(),
        }
    });
    format!("{dropped}{}{made}", parts.collect::<String>())
}

#[cfg(test)]
mod tests {
    use crate::{Position, builtin};

    #[test]
    fn numbers_ten_rows_from_0() {
        let xiangqi = builtin("xiangqi").unwrap();
        let position = Position::start(&xiangqi);
        let m = position.parse_xboard_move("h2h9").unwrap();
        assert_eq!((position.text(m), position.xboard_text(m)), ("h3h10".into(), "h2h9".into()));
        for wrong in ["h3h10", "a255b0", "a2147483647b0", "", "="] {
            assert!(position.parse_xboard_move(wrong).is_err(), "{wrong:?}");
        }
        // In SAN too, in the square and in the row that tells two rooks apart.
        let up = position.parse_move("a1a2").unwrap();
        let read = |text| position.parse_xboard_move(text);
        assert_eq!(["Ra1", "a0a1"].map(read), [Ok(up), Ok(up)]);
        assert_eq!(read("Cxh9"), Ok(m));
        let rooks = "4k4/9/9/9/9/R8/9/9/9/R2K5 w - - 0 1";
        let rooks = Position::from_fen(&xiangqi, rooks).unwrap();
        let m = rooks.parse_xboard_move("R0a2").unwrap();
        assert_eq!((rooks.text(m), rooks.xboard_text(m)), ("a1a3".into(), "a0a2".into()));
        let small = Position::start(&builtin("minixiangqi").unwrap());
        assert_eq!(small.xboard_text(small.parse_move("b1b2").unwrap()), "b1b2");
    }

    #[test]
    fn declines_a_promotion_by_an_equals_sign() {
        let fen = "4k4/9/9/7P1/9/9/9/9/4K4[] w - - 0 1";
        let position = Position::from_fen(&builtin("shogi").unwrap(), fen).unwrap();
        let text = |text: &str| position.text(position.parse_xboard_move(text).unwrap());
        assert_eq!(["h6h7=", "h6h7", "h6h7+"].map(text), ["h6h7", "h6h7", "h6h7+"]);
        assert!(position.parse_move("h6h7=").is_err());
    }
}
