//! Coordinates, squares and the values of variables.

use super::cursor::{Cursor, Parsed};
use crate::ast::{Coordinate, Domain, Expr, Origin, RangeEnd, Spanned, SquareText, Term, Variable};
use crate::diagnostic::{Code, Diagnostic};

/// The greatest number of terms of a sum.
const MAX_TERMS: usize = 8;

/// A sum without blanks: a blank ends it.
pub(super) fn expr(cursor: &mut Cursor<'_>) -> Parsed<Expr> {
    let mark = cursor.mark();
    let mut terms = Vec::new();
    loop {
        let sign = match cursor.peek() {
            '-' => -1,
            '+' if !terms.is_empty() => 1,
            _ if terms.is_empty() => 0,
            _ => break,
        };
        if sign != 0 {
            let sign_mark = cursor.mark();
            cursor.bump();
            if cursor.peek() == ' ' {
                return Err(Diagnostic::new(
                    Code::BlankInExpression,
                    cursor.since(sign_mark),
                    "a coordinate has no blanks inside",
                )
                .help("a blank separates the two coordinates; write (a-b 0)"));
            }
        }
        terms.push(term(cursor, if sign == 0 { 1 } else { sign })?);
        if terms.len() > MAX_TERMS {
            let message = format!("a sum has at most {MAX_TERMS} terms");
            return Err(Diagnostic::new(Code::TooMany, cursor.since(mark), message));
        }
    }
    Ok(Expr { terms, span: Spanned::new((), cursor.since(mark)) })
}

fn term(cursor: &mut Cursor<'_>, sign: i32) -> Parsed<Term> {
    let number = cursor.number()?;
    let variable = Some(cursor.peek()).filter(char::is_ascii_lowercase);
    if variable.is_some() {
        cursor.bump();
    }
    match (number, variable) {
        (None, None) => {
            let message = format!("expected a number or a variable{}", cursor.found());
            Err(cursor.error(Code::Syntax, message))
        }
        (number, variable) => Ok(Term { factor: sign * number.unwrap_or(1), variable }),
    }
}

/// `(row column)`, with a blank or a comma between them.
pub(super) fn square(cursor: &mut Cursor<'_>) -> Parsed<SquareText> {
    cursor.expect("(", Code::UnbalancedBracket)?;
    let row = coordinate(cursor)?;
    cursor.blanks();
    if cursor.take(",") {
        cursor.blanks();
    }
    if cursor.peek() == ')' {
        return Err(cursor
            .error(Code::Syntax, "a square has two coordinates")
            .help("write (row column), for instance (1 0)"));
    }
    let column = coordinate(cursor)?;
    cursor.blanks();
    // "(a - b 0)" and "(a +b 0)": the second sum is taken for the column.
    if !matches!(cursor.peek(), ')' | '\0' | '}') {
        return Err(cursor
            .error(Code::BlankInExpression, format!("expected ')'{}", cursor.found()))
            .help("a square has two coordinates, and no blanks inside them; write (a-b 0)"));
    }
    cursor.expect(")", Code::UnbalancedBracket)?;
    Ok(SquareText { row, column })
}

fn coordinate(cursor: &mut Cursor<'_>) -> Parsed<Coordinate> {
    cursor.blanks();
    let from = if cursor.take("$") { Origin::Corner } else { Origin::Piece };
    Ok(Coordinate { from, expr: expr(cursor)? })
}

/// `x in <1,7>`.
pub(super) fn variable(cursor: &mut Cursor<'_>) -> Parsed<Variable> {
    cursor.blanks();
    let mark = cursor.mark();
    let word = cursor.run(|c| c.is_alphanumeric() || c == '_');
    let mut letters = word.value.chars();
    let (Some(letter @ 'a'..='z'), None) = (letters.next(), letters.next()) else {
        cursor.reset(mark);
        let message = format!("a variable is one small letter, not '{}'", word.value);
        return Err(Diagnostic::new(Code::Syntax, word.span, message));
    };
    cursor.expect("in", Code::Syntax)?;
    cursor.blanks();
    let domain = match cursor.peek() {
        '<' => range(cursor)?,
        '[' => Domain::Set(set(cursor)?),
        _ => {
            return Err(cursor
                .error(Code::Syntax, format!("expected a domain{}", cursor.found()))
                .help("write <1,7>, <1,7) or [1,-1]"));
        }
    };
    Ok(Variable { name: Spanned::new(letter, word.span), domain })
}

fn range(cursor: &mut Cursor<'_>) -> Parsed<Domain> {
    cursor.bump();
    cursor.blanks();
    let low = expr(cursor)?;
    cursor.expect(",", Code::UnbalancedBracket)?;
    cursor.blanks();
    let high = expr(cursor)?;
    cursor.blanks();
    let end = if cursor.take(">") { RangeEnd::Closed } else { RangeEnd::Open };
    if end == RangeEnd::Open && !cursor.take(")") {
        let message = format!("expected '>' or ')'{}", cursor.found());
        return Err(cursor.error(Code::UnbalancedBracket, message));
    }
    Ok(Domain::Range { low, high, end })
}

fn set(cursor: &mut Cursor<'_>) -> Parsed<Vec<Expr>> {
    cursor.bump();
    let mut values = Vec::new();
    loop {
        cursor.blanks();
        values.push(expr(cursor)?);
        cursor.blanks();
        if !cursor.take(",") {
            break;
        }
    }
    cursor.expect("]", Code::UnbalancedBracket)?;
    Ok(values)
}
