//! A piece in XBetza, as far as that can say what it does.

use super::exchanged;
use crate::ast::{
    Alternative, Coordinate, Dialect, Effect, MoveText, Origin, Part, PieceText, Predicate,
    SquareText, Symmetry,
};

/// What a move in braces is to XBoard.
enum Idiom {
    /// Two squares forward from the first row of pawns.
    DoubleStep,
    EnPassant,
    /// A king goes this number of columns to the right, and a partner comes to its other side.
    Castling(i32),
}

/// The notation of a piece of White and of one of Black, or `None` if its moves need more than
/// XBetza has. XBoard turns the board for Black.
pub(crate) fn write(
    piece: &PieceText,
    dialect: Dialect,
    symmetry: Symmetry,
) -> Option<[String; 2]> {
    let mut text = String::new();
    let (mut double_step, mut en_passant) = (false, false);
    let (mut right, mut left) = (None, None);
    for part in &piece.parts {
        match part {
            Part::Betza { dialect: own, text: betza } => match own.unwrap_or(dialect) {
                Dialect::XBetza => text += &betza.value,
                Dialect::Thesis => text += &translate(&betza.value)?,
            },
            Part::Move(m) => match idiom(m)? {
                Idiom::DoubleStep => double_step = true,
                Idiom::EnPassant => en_passant = true,
                Idiom::Castling(columns) if columns > 0 => right = Some(columns),
                Idiom::Castling(columns) => left = Some(-columns),
            },
            Part::Only(_) => return None,
            // XBoard drops what is in hand anyway.
            Part::Promotion { .. } | Part::Flag { .. } | Part::Drop { .. } | Part::Hand { .. } => {}
        }
    }
    if en_passant {
        if !text.contains("fcF") {
            return None;
        }
        text = text.replace("fcF", "fceF");
    }
    if double_step {
        text += "ifmnD";
    }
    let castling = |right: Option<i32>, left: Option<i32>| match (right, left) {
        (Some(right), Some(left)) if right == left => format!("isO{right}"),
        _ => {
            let side = |letter, columns: Option<i32>| {
                columns.map_or_else(String::new, |columns| format!("i{letter}O{columns}"))
            };
            side('r', right) + &side('l', left)
        }
    };
    let sides = exchanged(&text, ['l', 'r']);
    let black = match symmetry {
        Symmetry::Rotate => text.clone() + &castling(right, left),
        Symmetry::Mirror => sides + &castling(left, right),
        Symmetry::None => exchanged(&sides, ['f', 'b']) + &castling(left, right),
    };
    Some([text + &castling(right, left), black])
}

/// The dialect of the thesis, in which an atom without a number goes any distance, in XBetza.
fn translate(text: &str) -> Option<String> {
    let mut out = String::new();
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        out.push(letter);
        if "fblrvshmc".contains(letter) {
            continue;
        }
        if !"WFDHNACZG".contains(letter) {
            return None;
        }
        let mut number = String::new();
        while let Some(digit) = letters.next_if(char::is_ascii_digit) {
            number.push(digit);
        }
        out += match number.as_str() {
            "" => "0",
            "1" => "",
            steps => steps,
        };
    }
    Some(out)
}

fn idiom(m: &MoveText) -> Option<Idiom> {
    let target = square(&m.target)?;
    if !m.variables.is_empty() {
        return None;
    }
    let empty = |at| asks(m, at, |predicate| matches!(predicate, Predicate::Empty));
    let flagged = |at| asks(m, at, |predicate| matches!(predicate, Predicate::Flag(_)));
    match (target, m.effects.as_slice()) {
        ((2, 0), effects) if effects.iter().all(|effect| matches!(effect, Effect::Set(..))) => {
            let from_home = flagged((0, 0)) || in_zone(m);
            (from_home && empty((1, 0)) && empty((2, 0))).then_some(Idiom::DoubleStep)
        }
        ((1, side), [Effect::Put(pieces, victim)])
            if side.abs() == 1 && **pieces == [None] && square(victim) == Some((0, side)) =>
        {
            (empty((1, side)) && flagged((0, side))).then_some(Idiom::EnPassant)
        }
        ((0, columns), [Effect::Shift(from, to)]) if columns.abs() > 1 => {
            let (from, to) = (square(from)?, square(to)?);
            let beside = to == (0, columns - columns.signum());
            let beyond = from.0 == 0 && from.1.abs() > to.1.abs();
            (beside && beyond && flagged((0, 0))).then_some(Idiom::Castling(columns))
        }
        _ => None,
    }
}

/// Whether a move has a condition of its own that says something about a square.
fn asks(m: &MoveText, at: (i32, i32), what: impl Fn(&Predicate) -> bool) -> bool {
    m.conditions.iter().any(|condition| match condition.as_slice() {
        [Alternative::Square(place, predicate)] => square(place) == Some(at) && what(predicate),
        _ => false,
    })
}

/// Whether a move has a condition that is a zone alone.
fn in_zone(m: &MoveText) -> bool {
    m.conditions.iter().any(|condition| matches!(condition.as_slice(), [Alternative::Zone(_)]))
}

/// A square whose distance from the piece is the same everywhere.
fn square(text: &SquareText) -> Option<(i32, i32)> {
    let number = |coordinate: &Coordinate| {
        let constant = coordinate.expr.terms.iter().all(|term| term.variable.is_none());
        let sum = coordinate.expr.terms.iter().map(|term| term.factor).sum();
        (constant && coordinate.from == Origin::Piece).then_some(sum)
    };
    Some((number(&text.row)?, number(&text.column)?))
}
