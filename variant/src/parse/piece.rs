//! The line of a piece.

use super::condition::{at_zone, zone};
use super::cursor::{Cursor, Parsed, is_word};
use super::moves::{move_text, takes_word};
use crate::ast::{
    Choice, Dialect, Life, Mating, MoveText, Part, PieceText, Source, Spanned, Start,
};
use crate::diagnostic::{Code, Diagnostic, Span};

/// Reads a piece. After a mistake it goes on behind the next `}` or stops; what could be read is
/// kept, so that later remarks make sense.
pub(super) fn piece(cursor: &mut Cursor<'_>, remarks: &mut Vec<Diagnostic>) -> Option<PieceText> {
    let name = match cursor.name() {
        Ok(name) => name,
        Err(remark) => {
            remarks.push(remark);
            return None;
        }
    };
    let mut parts = Vec::new();
    while !cursor.at_end() {
        match part(cursor) {
            Ok(part) => parts.push(part),
            Err(remark) => {
                remarks.push(remark);
                if !recover(cursor) {
                    break;
                }
            }
        }
    }
    Some(PieceText { name, parts })
}

/// Skips to behind the next `}`.
fn recover(cursor: &mut Cursor<'_>) -> bool {
    cursor.run(|c| c != '}');
    cursor.take("}")
}

fn part(cursor: &mut Cursor<'_>) -> Parsed<Part> {
    match cursor.peek() {
        '{' => return move_text(cursor, Source::Board).map(Part::Move),
        '}' => return Err(cursor.error(Code::UnbalancedBrace, "'}' closes nothing")),
        'x' if cursor.ahead(1) == '"' => return quoted(cursor),
        '+' => {
            cursor.bump();
            return flag(cursor, Start::Set);
        }
        _ => {}
    }
    let mark = cursor.mark();
    let word = cursor.run(|c| is_word(c) || matches!(c, '@' | '\''));
    match word.value.as_str() {
        "" => Err(cursor.error(Code::Syntax, format!("unexpected '{}'", cursor.peek()))),
        "promotion" => promotion(cursor, Choice::Forced),
        "opromotion" => promotion(cursor, Choice::Optional),
        "only" => {
            cursor.blanks();
            zone(cursor).map(Part::Only)
        }
        "drop" => drop_part(cursor, word.span),
        "hand" => hand(cursor),
        text if reads_as_betza(text) => Ok(Part::Betza { dialect: None, text: word }),
        _ => {
            cursor.reset(mark);
            flag(cursor, Start::Unset)
        }
    }
}

/// Whether a word is Betza notation and not a flag: it has a capital and no underscore.
fn reads_as_betza(word: &str) -> bool {
    word.chars().any(|c| c.is_ascii_uppercase()) && !word.contains('_') && word.is_ascii()
}

/// `x"fsRbK"`.
fn quoted(cursor: &mut Cursor<'_>) -> Parsed<Part> {
    let mark = cursor.mark();
    cursor.take("x\"");
    let text = cursor.run(|c| c != '"' && c != '\n');
    if !cursor.take("\"") {
        let message = "the quotation mark is never closed";
        return Err(Diagnostic::new(Code::UnbalancedBracket, cursor.since(mark), message));
    }
    Ok(Part::Betza { dialect: Some(Dialect::XBetza), text })
}

fn promotion(cursor: &mut Cursor<'_>, choice: Choice) -> Parsed<Part> {
    cursor.blanks();
    if !at_zone(cursor) {
        return Err(cursor
            .error(Code::Syntax, format!("expected a zone{}", cursor.found()))
            .help("write promotion t[ROW = 7] -> q|r|b|n"));
    }
    let mark = cursor.mark();
    let zone = Spanned::new(zone(cursor)?, cursor.since(mark));
    cursor.expect("->", Code::Syntax)?;
    Ok(Part::Promotion { choice, zone, pieces: cursor.names("|")? })
}

/// What follows `drop`: a zone and `nomate` in either order and, on the same line, braces, each of
/// which may be missing.
fn drop_part(cursor: &mut Cursor<'_>, span: Span) -> Parsed<Part> {
    let mut nomate = takes_nomate(cursor);
    let mark = cursor.mark();
    cursor.blanks();
    let zone = if at_zone(cursor) {
        zone(cursor)?
    } else {
        cursor.reset(mark);
        Vec::new()
    };
    nomate = nomate || takes_nomate(cursor);
    // Braces on the next line are those of a move.
    let mark = cursor.mark();
    cursor.run(|c| c == ' ');
    let mut text = if cursor.peek() == '{' {
        move_text(cursor, Source::Hand)?
    } else {
        cursor.reset(mark);
        MoveText { source: Source::Hand, span: Spanned::new((), span), ..MoveText::default() }
    };
    if nomate {
        text.mating = Mating::Forbidden;
    }
    Ok(Part::Drop { zone, text })
}

/// Takes `nomate` behind blanks, or nothing at all.
fn takes_nomate(cursor: &mut Cursor<'_>) -> bool {
    let mark = cursor.mark();
    cursor.blanks();
    let found = takes_word(cursor, "nomate");
    if !found {
        cursor.reset(mark);
    }
    found
}

/// What follows `hand`: a piece, and `*flag` for a piece that has the flag.
fn hand(cursor: &mut Cursor<'_>) -> Parsed<Part> {
    let piece = cursor.name()?;
    let mark = cursor.mark();
    cursor.blanks();
    if cursor.take("*") {
        return Ok(Part::Hand { piece, flag: Some(cursor.flag()?) });
    }
    cursor.reset(mark);
    Ok(Part::Hand { piece, flag: None })
}

fn flag(cursor: &mut Cursor<'_>, start: Start) -> Parsed<Part> {
    let mark = cursor.mark();
    let text = cursor.run(is_word).value;
    let transient = text.starts_with('_') || text.ends_with('_');
    cursor.reset(mark);
    let name = cursor.flag()?;
    let life = if transient { Life::Transient } else { Life::Lasting };
    Ok(Part::Flag { name, start, life })
}
