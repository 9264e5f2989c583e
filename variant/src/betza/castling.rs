//! `O`: castling.

use super::build::{Size, at, from_column, is, unmoved};
use super::group::Group;
use crate::ast::{Effect, MoveText, Predicate};
use crate::diagnostic::{Code, Diagnostic};

/// `O2`: castling with the piece in the corner; the king goes 2 squares, the other piece to
/// its far side. A move for every column that the king may stand on.
pub(super) fn castling(group: &Group, size: Size) -> Result<Vec<MoveText>, Diagnostic> {
    let reach = group.number.unwrap_or(2) as i32;
    if !(1..size.columns).contains(&reach) {
        let message = "castling goes at least one square and not over the edge";
        return Err(Diagnostic::new(Code::UnsupportedBetza, group.span, message));
    }
    let letters = &group.legs[0].directions;
    let mut texts = Vec::new();
    for (sign, names) in [(1, "rs"), (-1, "ls")] {
        if !letters.is_empty() && !letters.contains(|letter| names.contains(letter)) {
            continue;
        }
        for column in 0..size.columns {
            let distance = if sign > 0 { size.columns - 1 - column } else { column };
            if distance <= reach {
                continue;
            }
            let square = |steps: i32| at((0, sign * steps));
            let mut conditions = vec![from_column(column), unmoved(at((0, 0)))];
            conditions.extend((1..distance).map(|i| is(square(i), Predicate::Empty)));
            conditions.push(is(square(distance), Predicate::Friend));
            conditions.push(unmoved(square(distance)));
            conditions.extend((0..=reach).map(|i| is(square(i), Predicate::Unattacked)));
            texts.push(MoveText {
                target: square(reach),
                conditions,
                effects: vec![Effect::Shift(square(distance), square(reach - 1))],
                ..MoveText::default()
            });
        }
    }
    Ok(texts)
}
