//! Positions of variants.

use std::sync::Arc;

use tamarin_uci::xboard::Reply;
use tamarin_uci::{Base, Excerpt};
use tamarin_variant::{Color, FenError, Game as Rules, Move, MoveTextError, Outcome, Position};

use super::played::Board;
use super::spelling::Spelling;
use tamarin_variant::ending;

/// Boards with this number of rows begin with row 0 in the XBoard protocol.
const ROWS_FROM_ZERO: u8 = 10;

/// What clients call the variant for which XBoard has its own letters.
const XIANGQI: &str = "xiangqi";

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
            Spelling::XBoard(_) => find_move(self, text),
        }
    }

    fn write(&self, mv: Move, spelling: Spelling) -> String {
        let text = self.text(mv);
        match spelling {
            Spelling::Uci(_) => text,
            Spelling::XBoard(_) => shifted(self.game(), &text, -1),
        }
    }

    fn result(&self) -> Option<String> {
        let outcome = self.outcome()?;
        Some(Reply::Outcome(points(outcome), &ending(outcome)).to_string())
    }
}

/// The position before the first move of the variant of that name.
pub fn set_up(name: &str, rules: &Arc<Rules>, base: &Base) -> Result<Position, String> {
    let Base::Fen(fen) = base else { return Ok(Position::start(rules)) };
    let position = Position::from_fen(rules, fen).or_else(|error| match error {
        FenError::Piece(_) if name == XIANGQI => {
            Position::from_fen(rules, &renamed(fen)).map_err(|_| error)
        }
        _ => Err(error),
    });
    position.map_err(|error| error.to_string())
}

/// The FEN of xiangqi with `n` for the horse and `b` for the elephant, which XBoard calls `h` and
/// `e` whatever letters an engine announces.
fn renamed(fen: &str) -> String {
    let (board, rest) = fen.split_at(fen.find(char::is_whitespace).unwrap_or(fen.len()));
    let letter = |letter| match letter {
        'h' => 'n',
        'H' => 'N',
        'e' => 'b',
        'E' => 'B',
        other => other,
    };
    board.chars().map(letter).chain(rest.chars()).collect()
}

const fn points(outcome: Outcome) -> &'static str {
    match outcome.winner {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}

/// The legal move that an XBoard client means. The client quotes the move itself.
fn find_move(position: &Position, text: &str) -> Result<Move, String> {
    let rules = position.game();
    // XBoard writes `=` behind a move of shogi that declines a promotion.
    let text = text.strip_suffix('=').unwrap_or(text);
    position.parse_move(&shifted(rules, text, 1)).map_err(|error| match error {
        MoveTextError::Ambiguous { moves, .. } => {
            let moves: Vec<String> = moves.iter().map(|text| shifted(rules, text, -1)).collect();
            format!("it may be {}", moves.join(" or "))
        }
        _ => "the rules of this variant have no such move here".to_owned(),
    })
}

/// A move, in coordinates or SAN, with other numbers of rows, on boards whose rows begin with 0
/// here.
fn shifted(rules: &Rules, text: &str, by: i32) -> String {
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
    use super::{Board, set_up};
    use crate::game::Spelling;
    use tamarin_movegen::CastlingNotation;
    use tamarin_uci::Base;
    use tamarin_variant::{Position, builtin};

    #[test]
    fn rows_of_boards_with_ten_of_them_begin_with_0_in_the_xboard_protocol() {
        let xboard = Spelling::XBoard(CastlingNotation::Classic);
        let xiangqi = builtin("xiangqi").unwrap();
        let position = Position::start(&xiangqi);
        let mv = position.read("h2h9", xboard).unwrap();
        assert_eq!(
            (position.text(mv), position.write(mv, xboard)),
            ("h3h10".into(), "h2h9".into())
        );
        for wrong in ["h3h10", "a255b0", "a2147483647b0", "", "="] {
            assert!(position.read(wrong, xboard).is_err(), "{wrong:?}");
        }
        // In SAN too, in the square and in the row that tells two rooks apart.
        let up = position.parse_move("a1a2").unwrap();
        assert_eq!(["Ra1", "a0a1"].map(|text| position.read(text, xboard)), [Ok(up), Ok(up)]);
        assert_eq!(position.read("Cxh9", xboard), Ok(mv));
        let rooks = "4k4/9/9/9/9/R8/9/9/9/R2K5 w - - 0 1";
        let rooks = Position::from_fen(&xiangqi, rooks).unwrap();
        let mv = rooks.read("R0a2", xboard).unwrap();
        assert_eq!((rooks.text(mv), rooks.write(mv, xboard)), ("a1a3".into(), "a0a2".into()));
        let small = Position::start(&builtin("minixiangqi").unwrap());
        assert_eq!(small.write(small.parse_move("b1b2").unwrap(), xboard), "b1b2");
    }

    #[test]
    fn a_promotion_is_declined_with_an_equals_sign_in_the_xboard_protocol() {
        let fen = "4k4/9/9/7P1/9/9/9/9/4K4[] w - - 0 1";
        let position = Position::from_fen(&builtin("shogi").unwrap(), fen).unwrap();
        let text = |text: &str| {
            let mv = position.read(text, Spelling::XBoard(CastlingNotation::Classic));
            position.text(mv.unwrap())
        };
        assert_eq!((text("h6h7="), text("h6h7")), ("h6h7".into(), "h6h7".into()));
        assert_eq!(text("h6h7+"), "h6h7+");
        assert!(position.read("h6h7=", Spelling::Uci(CastlingNotation::Classic)).is_err());
    }

    #[test]
    fn xiangqi_is_set_up_with_the_letters_of_xboard_too() {
        let rules = builtin("xiangqi").unwrap();
        let read = |name: &str, fen: &str| set_up(name, &rules, &Base::Fen(fen.to_owned()));
        let fen = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1";
        assert_eq!(read("xiangqi", fen).unwrap().fen(), Position::start(&rules).fen());
        let unknown = |letter: &str| Some(format!("{letter:?} is no piece of this game"));
        let other = fen.replace('c', "x");
        assert_eq!(read("xiangqi", &other).err(), unknown("h"));
        assert_eq!(read("other", fen).err(), unknown("h"));
    }
}
