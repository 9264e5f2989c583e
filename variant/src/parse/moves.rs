//! Moves in braces.

use super::condition::{another, condition};
use super::cursor::{Cursor, Parsed, is_word};
use super::expr::{square, variable};
use crate::ast::{Edges, Effect, Mating, MoveText, Source, Spanned};
use crate::diagnostic::{Code, Diagnostic};

/// The sections of a move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Start,
    Variables,
    Target,
    Conditions,
    Effects,
    Cylinder,
}

const SECTIONS: [(&str, Section); 8] = [
    ("vars", Section::Variables),
    ("square", Section::Target),
    ("target", Section::Target),
    ("conditions", Section::Conditions),
    ("condition", Section::Conditions),
    ("effects", Section::Effects),
    ("effect", Section::Effects),
    ("cylinder", Section::Cylinder),
];

/// `{...}`; that of a drop has no target.
pub(super) fn move_text(cursor: &mut Cursor<'_>, source: Source) -> Parsed<MoveText> {
    let start = cursor.mark();
    cursor.bump();
    let opening = cursor.since(start);
    let mut text = MoveText { source, ..MoveText::default() };
    let mut section = Section::Start;
    let mut target = None;
    loop {
        if cursor.at_end() {
            let message = "'{' is never closed";
            return Err(Diagnostic::new(Code::UnbalancedBrace, opening, message)
                .help("a move ends with '}', and before the next blank line"));
        }
        if cursor.take("}") {
            break;
        }
        if let Some(next) = section_word(cursor, section)? {
            section = next;
            if section == Section::Cylinder {
                text.edges = Edges::Joined;
            }
            continue;
        }
        match section {
            Section::Variables => text.variables.push(variable(cursor)?),
            Section::Target if source == Source::Hand => {
                let error = cursor.error(Code::Syntax, "a drop has no -square");
                return Err(error.help("it goes to any square where its conditions hold: (0 0)"));
            }
            Section::Target if target.is_some() => {
                let error = cursor.error(Code::Repeated, "this move has a second -square");
                return Err(
                    error.help("a move has one; write another move in braces for another target")
                );
            }
            Section::Target => target = Some(square(cursor)?),
            Section::Conditions if takes_word(cursor, "nomate") => text.mating = Mating::Forbidden,
            Section::Conditions => text.conditions.push(condition(cursor)?),
            Section::Effects => text.effects.push(effect(cursor)?),
            Section::Start | Section::Cylinder => {
                let message = format!("expected a section{}", cursor.found());
                return Err(cursor
                    .error(Code::Syntax, message)
                    .help("the sections are -vars, -square, -conditions and -effects"));
            }
        }
    }
    text.span = Spanned::new((), cursor.since(start));
    match target {
        None if source == Source::Hand => Ok(text),
        Some(target) => Ok(MoveText { target, ..text }),
        None => {
            Err(Diagnostic::new(Code::MissingTarget, text.span.span, "this move has no -square")
                .help("say where the piece goes, for instance -square (1 0)"))
        }
    }
}

/// The section that begins here, if one does. Among effects a word after `-` may be a flag.
fn section_word(cursor: &mut Cursor<'_>, section: Section) -> Parsed<Option<Section>> {
    let mark = cursor.mark();
    let dash = cursor.take("-");
    if !dash && section != Section::Start {
        return Ok(None);
    }
    let word = cursor.run(is_word);
    if let Some(&(_, found)) = SECTIONS.iter().find(|(name, _)| *name == word.value) {
        return Ok(Some(found));
    }
    let flag = {
        cursor.blanks();
        section == Section::Effects && cursor.starts_with("->")
    };
    cursor.reset(mark);
    if !dash || flag {
        return Ok(None);
    }
    let mut span = word.span;
    span.column -= 1;
    span.length += 1;
    let message = format!("unknown section '-{}'", word.value);
    Err(match crate::suggest::nearest(&word.value, SECTIONS.map(|(name, _)| name)) {
        Some(near) => Diagnostic::new(Code::UnknownSection, span, message)
            .help(format!("did you mean '-{near}'?")),
        None => Diagnostic::new(Code::UnknownSection, span, message),
    })
}

/// Takes a whole word, if it comes next.
pub(super) fn takes_word(cursor: &mut Cursor<'_>, word: &str) -> bool {
    let mark = cursor.mark();
    let found = cursor.run(is_word).value == word;
    if !found {
        cursor.reset(mark);
    }
    found
}

fn effect(cursor: &mut Cursor<'_>) -> Parsed<Effect> {
    if cursor.peek() == '(' {
        return on_square(cursor);
    }
    if matches!(cursor.peek(), '+' | '-')
        && let Some(effect) = flag_first(cursor)?
    {
        return Ok(effect);
    }
    let mut pieces = Vec::new();
    loop {
        cursor.blanks();
        pieces.push(if cursor.take(".") { None } else { Some(cursor.name()?) });
        if !another(cursor) {
            break;
        }
    }
    arrow(cursor)?;
    Ok(Effect::Put(pieces, square(cursor)?))
}

/// `(1 0) -> (2 0)`, `(1 0) +flag` or `(1 0) -flag`.
fn on_square(cursor: &mut Cursor<'_>) -> Parsed<Effect> {
    let place = square(cursor)?;
    cursor.blanks();
    if cursor.take("->") {
        return Ok(Effect::Shift(place, square(cursor)?));
    }
    let set = cursor.take("+");
    if set || cursor.take("-") {
        let flag = cursor.flag()?;
        return Ok(if set { Effect::Set(place, flag) } else { Effect::Clear(place, flag) });
    }
    let message = format!("expected '->', '+flag' or '-flag'{}", cursor.found());
    Err(cursor.error(Code::Syntax, message))
}

/// `+flag -> (1 0)` or `-flag -> (1 0)`; a piece whose name begins with `+` is no flag
/// when `|` follows, or when the name is no word of a flag.
fn flag_first(cursor: &mut Cursor<'_>) -> Parsed<Option<Effect>> {
    let mark = cursor.mark();
    let set = cursor.peek() == '+';
    cursor.bump();
    let word = cursor.run(is_word);
    cursor.blanks();
    // A promoted piece such as "+r" has a name of one letter; flags are longer.
    let is_flag = word.value.chars().count() > 1 && cursor.starts_with("->");
    if !is_flag {
        cursor.reset(mark);
        return Ok(None);
    }
    let word = {
        cursor.reset(mark);
        cursor.bump();
        cursor.flag()?
    };
    arrow(cursor)?;
    let place = square(cursor)?;
    Ok(Some(if set { Effect::Set(place, word) } else { Effect::Clear(place, word) }))
}

fn arrow(cursor: &mut Cursor<'_>) -> Parsed<()> {
    cursor.expect("->", Code::Syntax)
}
