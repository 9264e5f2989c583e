//! Conditions and zones.

use super::cursor::{Cursor, Parsed, is_word};
use super::expr::square;
use crate::ast::{
    Alternative, Axis, Comparison, Condition, Operator, Predicate, Region, SquareText, Whose, Zone,
};
use crate::diagnostic::{Code, Diagnostic};

/// The conditions that are words.
const WORDS: [&str; 8] =
    ["empty", "unoccupied", "occupied", "opponent", "opposite", "friend", "attacked", "unattacked"];

/// Returns `true` if a zone comes next.
pub(super) fn at_zone(cursor: &Cursor<'_>) -> bool {
    cursor.peek() == '['
        || (matches!(cursor.peek(), 't' | 'f') && cursor.ahead(1) == '[')
        || cursor.starts_with("ROW")
        || cursor.starts_with("COL")
}

/// One condition: alternatives with `|` between them. A square counts for the alternatives
/// after it too, until another comes.
pub(super) fn condition(cursor: &mut Cursor<'_>) -> Parsed<Condition> {
    let mut alternatives = Vec::new();
    let mut last: Option<SquareText> = None;
    loop {
        cursor.blanks();
        if at_zone(cursor) {
            alternatives.extend(one_zone(cursor)?.into_iter().map(Alternative::Zone));
        } else {
            if cursor.peek() == '(' {
                last = Some(square(cursor)?);
                cursor.blanks();
            }
            let Some(place) = &last else {
                let message = format!("expected a square or a zone{}", cursor.found());
                return Err(cursor
                    .error(Code::Syntax, message)
                    .help("a condition is a square and a word, such as (1 0) empty"));
            };
            alternatives.push(Alternative::Square(place.clone(), predicate(cursor)?));
        }
        if !another(cursor) {
            return Ok(alternatives);
        }
    }
}

/// Takes a `|`, if one follows.
pub(super) fn another(cursor: &mut Cursor<'_>) -> bool {
    let mark = cursor.mark();
    cursor.blanks();
    let found = cursor.take("|");
    if !found {
        cursor.reset(mark);
    }
    found
}

fn predicate(cursor: &mut Cursor<'_>) -> Parsed<Predicate> {
    if cursor.take("!*") {
        return cursor.flag().map(Predicate::NoFlag);
    }
    if cursor.take("*") {
        return cursor.flag().map(Predicate::Flag);
    }
    if cursor.take("!=") {
        return cursor.name().map(Predicate::NoType);
    }
    if cursor.take("=") {
        return Ok(Predicate::Type(cursor.names(",")?));
    }
    let word = cursor.run(is_word);
    Ok(match word.value.as_str() {
        "empty" | "unoccupied" => Predicate::Empty,
        "occupied" => Predicate::Occupied,
        "opponent" | "opposite" => Predicate::Opponent,
        "friend" => Predicate::Friend,
        "attacked" => Predicate::Attacked,
        "unattacked" => Predicate::Unattacked,
        "" => {
            let message = format!("expected a condition{}", cursor.found());
            return Err(cursor
                .error(Code::Syntax, message)
                .help("a condition is a square and a word, such as (1 0) empty"));
        }
        unknown => {
            let message = format!("unknown condition '{unknown}'");
            return Err(Diagnostic::new(Code::UnknownCondition, word.span, message)
                .help(format!(
                    "the conditions are {}, *flag, !*flag, =piece and !=piece",
                    WORDS.join(", ")
                ))
                .suggest(unknown, WORDS));
        }
    })
}

/// Zones with `|` between them.
pub(super) fn zone(cursor: &mut Cursor<'_>) -> Parsed<Zone> {
    let mut regions = one_zone(cursor)?;
    while another(cursor) {
        regions.extend(one_zone(cursor)?);
    }
    Ok(regions)
}

/// `[...]` with or without a `t` or `f` before it, or a single comparison.
fn one_zone(cursor: &mut Cursor<'_>) -> Parsed<Zone> {
    cursor.blanks();
    let of = match (cursor.peek(), cursor.ahead(1)) {
        ('t', '[') => Whose::Target,
        _ => Whose::Origin,
    };
    if matches!(cursor.peek(), 't' | 'f') && cursor.ahead(1) == '[' {
        cursor.bump();
    }
    if !cursor.take("[") {
        return Ok(vec![Region { of, comparisons: vec![comparison(cursor)?] }]);
    }
    let mut regions = vec![Region { of, comparisons: vec![comparison(cursor)?] }];
    loop {
        cursor.blanks();
        if cursor.take("|") {
            regions.push(Region { of, comparisons: vec![comparison(cursor)?] });
        } else if cursor.take("&") {
            let region = regions.last_mut().expect("invariant: a zone begins with a region");
            region.comparisons.push(comparison(cursor)?);
        } else {
            cursor.expect("]", Code::UnbalancedBracket)?;
            return Ok(regions);
        }
    }
}

fn comparison(cursor: &mut Cursor<'_>) -> Parsed<Comparison> {
    cursor.blanks();
    let Some(&(_, axis)) = Axis::WORDS.iter().find(|(word, _)| cursor.take(word)) else {
        let message = format!("expected ROW or COL{}", cursor.found());
        return Err(cursor.error(Code::Syntax, message).help("a zone is [ROW = 7] or t[COL < 3]"));
    };
    cursor.blanks();
    let Some(&(_, operator)) = Operator::WORDS.iter().find(|(word, _)| cursor.take(word)) else {
        let message = format!("expected a comparison{}", cursor.found());
        return Err(cursor.error(Code::Syntax, message).help("one of < <= = != >= >"));
    };
    cursor.blanks();
    match cursor.number()? {
        Some(number) => Ok(Comparison { axis, operator, number }),
        None => Err(cursor.error(Code::Syntax, format!("expected a number{}", cursor.found()))),
    }
}
