//! Lines that begin with `@`.

use super::condition::zone;
use super::cursor::{Cursor, Parsed};
use crate::ast::{
    Captures, Checks, Dialect, Directive, Explosion, GoalText, Holding, Immobile, Judged,
    PointsText, Spanned, Symmetry, Verdict, Word,
};
use crate::diagnostic::{Code, Diagnostic};

/// The directives that [`directive`] reads, and `variant`, which begins a section.
const WORDS: &str = "\
    variant name symmetry betza royal stalemate checkmate repetition perpetual nmove immobile \
    checks captures goal extinction explosion facing passes points gating hand extends fen";

/// What a line that begins with `@` says.
pub(super) enum Line {
    /// `@variant NAME`.
    Variant(Word),
    /// Anything else.
    Directive(Spanned<Directive>),
}

/// Reads one line.
pub(super) fn directive(cursor: &mut Cursor<'_>) -> Parsed<Line> {
    let mark = cursor.mark();
    cursor.bump();
    let key = cursor.run(|c| !c.is_whitespace());
    let place = cursor.since(mark);
    cursor.blanks();
    let start = cursor.mark();
    let value = cursor.rest_of_line();
    let words = WORDS.split_ascii_whitespace();
    if !words.clone().any(|word| word == key.value) {
        let message = format!("unknown directive '@{}'", key.value);
        return Err(Diagnostic::new(Code::UnknownDirective, place, message)
            .help(format!("the directives are {}", WORDS.replace(' ', ", ")))
            .suggest(&key.value, words));
    }
    if value.value.is_empty() && key.value != "hand" {
        let message = format!("@{} needs a value", key.value);
        return Err(Diagnostic::new(Code::DirectiveValue, place, message));
    }
    let read = match key.value.as_str() {
        "variant" => return Ok(Line::Variant(value)),
        "name" => Directive::Name(value.value),
        "fen" => Directive::Fen(value.value),
        "extends" => Directive::Extends(value),
        "royal" => Directive::Royal(pieces(&value)),
        "gating" => Directive::Gating(pieces(&value)),
        "repetition" => repetition(&value)?,
        "perpetual" => Directive::Perpetual(choose(&value, &Verdict::WORDS[..2])?),
        "nmove" => counted(&value).map(|(n, v)| Directive::MoveLimit(n, v))?,
        "symmetry" => Directive::Symmetry(choose(&value, Symmetry::WORDS)?),
        "betza" => Directive::Betza(choose(&value, Dialect::WORDS)?),
        "immobile" => Directive::Immobile(choose(&value, Immobile::WORDS)?),
        "checks" => Directive::Checks(checks(&value)?),
        "captures" => Directive::Captures(choose(&value, Captures::WORDS)?),
        "goal" if value.value == "none" => Directive::Goal(None),
        "goal" => {
            cursor.reset(start);
            Directive::Goal(Some(goal(cursor)?))
        }
        "facing" if value.value == "none" => Directive::Facing(None),
        "facing" => Directive::Facing(Some(verdict(&value)?)),
        "passes" => counted(&value).map(|(n, v)| Directive::Passes(n, v))?,
        "points" => Directive::Points(points(&value)?),
        "extinction" => Directive::Extinction(extinction(&value)?),
        "explosion" => Directive::Explosion(explosion(&value)?),
        "hand" if value.value.is_empty() => Directive::Hand(Holding::Captured),
        "hand" => Directive::Hand(choose(&value, Holding::WORDS)?),
        "stalemate" => Directive::Stalemate(verdict(&value)?),
        _ => Directive::Checkmate(verdict(&value)?),
    };
    Ok(Line::Directive(Spanned::new(read, place)))
}

/// The words of a value with their places.
fn words(value: &Word) -> Vec<Word> {
    let mut from = 0;
    let mut found = Vec::new();
    for piece in value.value.split(' ') {
        let to = from + piece.chars().count();
        if to > from {
            found.push(Spanned::new(piece.to_owned(), value.part(from, to)));
        }
        from = to + 1;
    }
    found
}

/// `none`, or pieces.
fn pieces(value: &Word) -> Vec<Word> {
    if value.value == "none" { Vec::new() } else { words(value) }
}

fn choose<T: Copy>(value: &Word, choices: &[(&str, T)]) -> Parsed<T> {
    if let Some(&(_, choice)) = choices.iter().find(|(name, _)| *name == value.value) {
        return Ok(choice);
    }
    let names: Vec<&str> = choices.iter().map(|&(name, _)| name).collect();
    let message = format!("expected {}, not '{}'", names.join(" or "), value.value);
    Err(Diagnostic::new(Code::DirectiveValue, value.span, message).suggest(&value.value, names))
}

/// `allowed`, `forbidden`, or how many win.
fn checks(value: &Word) -> Parsed<Checks> {
    match value.value.as_str() {
        "allowed" => Ok(Checks::Allowed),
        "forbidden" => Ok(Checks::Forbidden),
        text => match text.parse() {
            Ok(count @ 1..=99) => Ok(Checks::Counted(count)),
            _ => {
                let message = format!("expected allowed, forbidden or a number, not '{text}'");
                let remark = Diagnostic::new(Code::DirectiveValue, value.span, message);
                let help = "a number, 1 to 99, is that of the checks that win";
                Err(remark.help(help).suggest(text, ["allowed", "forbidden"]))
            }
        },
    }
}

/// `k [ROW = 7]`: pieces and a zone, and perhaps `last`.
fn goal(cursor: &mut Cursor<'_>) -> Parsed<GoalText> {
    let mut pieces = vec![cursor.name()?];
    loop {
        cursor.blanks();
        match cursor.peek() {
            '[' => break,
            '\0' => {
                let message = format!("expected a zone{}", cursor.found());
                let help = "write the squares behind the pieces, such as @goal k [ROW = 7]";
                return Err(cursor.error(Code::DirectiveValue, message).help(help));
            }
            _ => pieces.push(cursor.name()?),
        }
    }
    let zone = zone(cursor)?;
    let rest = cursor.rest_of_line();
    match rest.value.as_str() {
        "" => Ok(GoalText { pieces, zone, last: false }),
        "last" => Ok(GoalText { pieces, zone, last: true }),
        other => {
            let message = format!("expected last or nothing, not '{other}'");
            let remark = Diagnostic::new(Code::DirectiveValue, rest.span, message);
            Err(remark.suggest(other, ["last"]))
        }
    }
}

/// `none`, or a verdict and perhaps pieces: `loss k`.
fn extinction(value: &Word) -> Parsed<Option<(Verdict, Vec<Word>)>> {
    if value.value == "none" {
        return Ok(None);
    }
    let mut words = words(value);
    let first = words.remove(0);
    Ok(Some((verdict(&first)?, words)))
}

/// `none`, `all`, or `spares` and pieces.
fn explosion(value: &Word) -> Parsed<Explosion> {
    let mut words = words(value);
    let first = words.remove(0);
    match (first.value.as_str(), words.is_empty()) {
        ("none", true) => Ok(Explosion::Nothing),
        ("all", true) => Ok(Explosion::Spares(Vec::new())),
        ("spares", false) => Ok(Explosion::Spares(words)),
        _ => {
            let message =
                format!("expected none, all, or spares and pieces, not '{}'", value.value);
            let remark = Diagnostic::new(Code::DirectiveValue, value.span, message);
            let help = "write for instance @explosion spares p";
            Err(remark.help(help).suggest(&first.value, ["none", "all", "spares"]))
        }
    }
}

/// `r 13 n 5 second 1.5`: pieces and what each counts, and what the second side has besides.
fn points(value: &Word) -> Parsed<PointsText> {
    let (mut pieces, mut second) = (Vec::new(), 0);
    for pair in words(value).chunks(2) {
        let number = pair.get(1).map_or(value, |number| number);
        let error = || {
            let message = format!("expected a number of points, not '{}'", number.value);
            Diagnostic::new(Code::DirectiveValue, number.span, message)
                .help("write a number, 0 to 999, perhaps with .5, behind each piece")
        };
        let (whole, half) = match number.value.strip_suffix(".5") {
            Some(whole) => (whole, 1),
            None => (number.value.as_str(), 0),
        };
        let whole: u16 = whole.parse().ok().filter(|&n| n < 1000).ok_or_else(error)?;
        match pair[0].value.as_str() {
            "second" => second = whole * 2 + half,
            _ => pieces.push((pair[0].clone(), whole * 2 + half)),
        }
    }
    Ok(PointsText { pieces, second })
}

fn verdict(value: &Word) -> Parsed<Verdict> {
    choose(value, Verdict::WORDS)
}

/// As [`counted`], and perhaps for whom: `4 loss first`.
fn repetition(value: &Word) -> Parsed<Directive> {
    let words = words(value);
    let (rest, judged) = match words.as_slice() {
        [number, verdict, judged] => {
            let text = format!("{} {}", number.value, verdict.value);
            (
                Spanned::new(text.clone(), value.part(0, text.chars().count())),
                choose(judged, Judged::WORDS)?,
            )
        }
        _ => (value.clone(), Judged::Mover),
    };
    counted(&rest).map(|(times, verdict)| Directive::Repetition(times, verdict, judged))
}

/// `none`, or a number and what it means: `3 draw`.
fn counted(value: &Word) -> Parsed<(u32, Verdict)> {
    let words = words(value);
    let error = || {
        let message = format!("expected a number and loss, draw or win, not '{}'", value.value);
        Diagnostic::new(Code::DirectiveValue, value.span, message)
            .help("write for instance 3 draw, or none; the number is 1 to 1000")
    };
    match words.as_slice() {
        [none] if none.value == "none" => Ok((0, Verdict::Draw)),
        [number, rest @ ..] if rest.len() < 2 => {
            let count = number.value.parse().ok().filter(|n| (1..=1000).contains(n));
            let verdict = rest.first().map_or(Ok(Verdict::Draw), verdict)?;
            Ok((count.ok_or_else(error)?, verdict))
        }
        _ => Err(error()),
    }
}
