//! The syntax tree as text that parses to the same tree.

use std::fmt::{self, Display, Formatter};

use crate::ast::{
    Alternative, Cell, Checks, Choice, Comparison, Coordinate, Directive, Domain, Edges, Effect,
    Explosion, Expr, File, GoalText, Holding, Judged, Life, Mating, MoveText, Origin, Part,
    PieceText, PointsText, Predicate, RangeEnd, Region, Source, Spanned, SquareText, Start,
    VariantText, Verdict, Whose, Word,
};

/// Writes things with a separator between them.
fn join<T: Display>(f: &mut Formatter<'_>, things: &[T], separator: &str) -> fmt::Result {
    for (i, thing) in things.iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        write!(f, "{thing}")?;
    }
    Ok(())
}

fn join_words(f: &mut Formatter<'_>, words: &[Word], separator: &str) -> fmt::Result {
    let words: Vec<&str> = words.iter().map(|word| word.value.as_str()).collect();
    join(f, &words, separator)
}

impl Display for File {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        join(f, &self.variants, "\n")
    }
}

impl Display for VariantText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if let Some(name) = &self.name {
            writeln!(f, "@variant {}", name.value)?;
        }
        for directive in &self.directives {
            writeln!(f, "@{}", directive.value)?;
        }
        for piece in &self.pieces {
            writeln!(f, "\n{piece}")?;
        }
        // Without a picture an empty `board:` follows the last piece; other starts need none.
        let elsewhere = |line: &Spanned<Directive>| {
            matches!(line.value, Directive::Extends(_) | Directive::Fen(_))
        };
        if self.diagram.is_some() || !self.directives.iter().any(elsewhere) {
            writeln!(f, "\nboard:")?;
        }
        let Some(diagram) = &self.diagram else { return Ok(()) };
        for row in &diagram.rows {
            let cells: Vec<&Cell> = row.value.iter().map(|cell| &cell.value).collect();
            join(f, &cells, " ")?;
            writeln!(f)?;
        }
        Ok(())
    }
}

impl Display for Cell {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("."),
            Self::Name(name) => f.write_str(name),
            Self::White(name) => write!(f, "w:{name}"),
            Self::Black(name) => write!(f, "b:{name}"),
        }
    }
}

fn counted(f: &mut Formatter<'_>, key: &str, count: u32, verdict: Verdict) -> fmt::Result {
    match count {
        0 => write!(f, "{key} none"),
        _ => write!(f, "{key} {count} {verdict}"),
    }
}

impl Display for Directive {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => write!(f, "name {name}"),
            Self::Symmetry(symmetry) => write!(f, "symmetry {symmetry}"),
            Self::Betza(dialect) => write!(f, "betza {dialect}"),
            Self::Royal(pieces) if pieces.is_empty() => f.write_str("royal none"),
            Self::Royal(pieces) => {
                f.write_str("royal ")?;
                join_words(f, pieces, " ")
            }
            Self::Stalemate(verdict) => write!(f, "stalemate {verdict}"),
            Self::Checkmate(verdict) => write!(f, "checkmate {verdict}"),
            Self::Repetition(count, verdict, judged) => {
                counted(f, "repetition", *count, *verdict)?;
                if *judged == Judged::Mover { Ok(()) } else { write!(f, " {judged}") }
            }
            Self::Perpetual(verdict) => write!(f, "perpetual {verdict}"),
            Self::MoveLimit(count, verdict) => counted(f, "nmove", *count, *verdict),
            Self::Immobile(immobile) => write!(f, "immobile {immobile}"),
            Self::Checks(Checks::Allowed) => f.write_str("checks allowed"),
            Self::Checks(Checks::Forbidden) => f.write_str("checks forbidden"),
            Self::Checks(Checks::Counted(count)) => write!(f, "checks {count}"),
            Self::Captures(captures) => write!(f, "captures {captures}"),
            Self::Goal(None) => f.write_str("goal none"),
            Self::Goal(Some(GoalText { pieces, zone, last })) => {
                f.write_str("goal ")?;
                join_words(f, pieces, " ")?;
                f.write_str(" ")?;
                join(f, zone, "|")?;
                f.write_str(if *last { " last" } else { "" })
            }
            Self::Extinction(None) => f.write_str("extinction none"),
            Self::Extinction(Some((verdict, pieces))) => {
                write!(f, "extinction {verdict}")?;
                pieces.iter().try_for_each(|piece| write!(f, " {}", piece.value))
            }
            Self::Explosion(Explosion::Nothing) => f.write_str("explosion none"),
            Self::Explosion(Explosion::Spares(pieces)) if pieces.is_empty() => {
                f.write_str("explosion all")
            }
            Self::Explosion(Explosion::Spares(pieces)) => {
                f.write_str("explosion spares ")?;
                join_words(f, pieces, " ")
            }
            Self::Facing(None) => f.write_str("facing none"),
            Self::Facing(Some(verdict)) => write!(f, "facing {verdict}"),
            Self::Passes(count, verdict) => counted(f, "passes", *count, *verdict),
            Self::Points(PointsText { pieces, second }) => {
                let number = |halves: u16| f64::from(halves) / 2.0;
                f.write_str("points")?;
                for (piece, halves) in pieces {
                    write!(f, " {} {}", piece.value, number(*halves))?;
                }
                if *second == 0 { Ok(()) } else { write!(f, " second {}", number(*second)) }
            }
            Self::Gating(pieces) if pieces.is_empty() => f.write_str("gating none"),
            Self::Gating(pieces) => {
                f.write_str("gating ")?;
                join_words(f, pieces, " ")
            }
            Self::Hand(Holding::Captured) => f.write_str("hand"),
            Self::Hand(holding) => write!(f, "hand {holding}"),
            Self::Extends(parent) => write!(f, "extends {}", parent.value),
            Self::Fen(fen) => write!(f, "fen {fen}"),
        }
    }
}

impl Display for PieceText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name.value)?;
        for part in &self.parts {
            match part {
                Part::Move(_) | Part::Drop { .. } => write!(f, "\n  {part}")?,
                _ => write!(f, " {part}")?,
            }
        }
        Ok(())
    }
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Betza { dialect: None, text } => f.write_str(&text.value),
            Self::Betza { dialect: Some(_), text } => write!(f, "x\"{}\"", text.value),
            Self::Move(text) => write!(f, "{text}"),
            Self::Promotion { choice, zone, pieces } => {
                let word = match choice {
                    Choice::Forced => "promotion",
                    Choice::Optional => "opromotion",
                };
                write!(f, "{word} ")?;
                join(f, &zone.value, "|")?;
                f.write_str(" -> ")?;
                join_words(f, pieces, "|")
            }
            Self::Only(zone) => {
                f.write_str("only ")?;
                join(f, zone, "|")
            }
            Self::Drop { zone, text } => {
                f.write_str("drop")?;
                if !zone.is_empty() {
                    f.write_str(" ")?;
                    join(f, zone, "|")?;
                }
                if *text == (MoveText { source: Source::Hand, ..MoveText::default() }) {
                    return Ok(());
                }
                f.write_str(" ")?;
                write_braces(f, text)
            }
            Self::Hand { piece, flag: None } => write!(f, "hand {}", piece.value),
            Self::Hand { piece, flag: Some(flag) } => {
                write!(f, "hand {} *{}", piece.value, flag.value)
            }
            Self::Flag { name, start, life } => {
                let plus = if *start == Start::Set { "+" } else { "" };
                let mark = if *life == Life::Transient { "_" } else { "" };
                write!(f, "{plus}{}{mark}", name.value)
            }
        }
    }
}

impl Display for MoveText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.source == Source::Hand {
            f.write_str("drop ")?;
        }
        write_braces(f, self)
    }
}

fn write_braces(f: &mut Formatter<'_>, text: &MoveText) -> fmt::Result {
    // A blank stands before every section but the first.
    let mut section = "{";
    if !text.variables.is_empty() {
        write!(f, "{section}-vars")?;
        for variable in &text.variables {
            write!(f, " {} in {}", variable.name.value, variable.domain)?;
        }
        section = " ";
    }
    if text.edges == Edges::Joined {
        write!(f, "{section}-cylinder")?;
        section = " ";
    }
    if text.source == Source::Board {
        write!(f, "{section}-square {}", text.target)?;
        section = " ";
    }
    if !text.conditions.is_empty() || text.mating == Mating::Forbidden {
        write!(f, "{section}-conditions")?;
        section = " ";
        for condition in &text.conditions {
            f.write_str(" ")?;
            write_condition(f, condition)?;
        }
        if text.mating == Mating::Forbidden {
            f.write_str(" nomate")?;
        }
    }
    if !text.effects.is_empty() {
        write!(f, "{section}-effects ")?;
        section = " ";
        join(f, &text.effects, " ")?;
    }
    f.write_str(if section == "{" { "{}" } else { "}" })
}

impl Display for Domain {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { low, high, end } => {
                let end = if *end == RangeEnd::Closed { '>' } else { ')' };
                write!(f, "<{low},{high}{end}")
            }
            Self::Set(values) => {
                f.write_str("[")?;
                join(f, values, ",")?;
                f.write_str("]")
            }
        }
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, term) in self.terms.iter().enumerate() {
            match term.factor {
                ..0 => f.write_str("-")?,
                _ if i > 0 => f.write_str("+")?,
                _ => {}
            }
            match (term.factor.abs(), term.variable) {
                (1, Some(variable)) => write!(f, "{variable}")?,
                (factor, Some(variable)) => write!(f, "{factor}{variable}")?,
                (factor, None) => write!(f, "{factor}")?,
            }
        }
        Ok(())
    }
}

impl Display for Coordinate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mark = if self.from == Origin::Corner { "$" } else { "" };
        write!(f, "{mark}{}", self.expr)
    }
}

impl Display for SquareText {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "({} {})", self.row, self.column)
    }
}

/// A square is written once for the alternatives that share it.
fn write_condition(f: &mut Formatter<'_>, condition: &[Alternative]) -> fmt::Result {
    let mut last = None;
    for (i, alternative) in condition.iter().enumerate() {
        if i > 0 {
            f.write_str("|")?;
        }
        match alternative {
            Alternative::Zone(region) => write!(f, "{region}")?,
            Alternative::Square(square, predicate) => {
                if last != Some(square) {
                    write!(f, "{square} ")?;
                }
                last = Some(square);
                write!(f, "{predicate}")?;
            }
        }
    }
    Ok(())
}

impl Display for Predicate {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("empty"),
            Self::Occupied => f.write_str("occupied"),
            Self::Opponent => f.write_str("opponent"),
            Self::Friend => f.write_str("friend"),
            Self::Attacked => f.write_str("attacked"),
            Self::Unattacked => f.write_str("unattacked"),
            Self::Flag(flag) => write!(f, "*{}", flag.value),
            Self::NoFlag(flag) => write!(f, "!*{}", flag.value),
            Self::NoType(name) => write!(f, "!={}", name.value),
            Self::Type(names) => {
                f.write_str("=")?;
                join_words(f, names, ",")
            }
        }
    }
}

impl Display for Region {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(if self.of == Whose::Target { "t[" } else { "[" })?;
        join(f, &self.comparisons, " & ")?;
        f.write_str("]")
    }
}

impl Display for Comparison {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.axis, self.operator, self.number)
    }
}

impl Display for Effect {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Put(pieces, square) => {
                let names: Vec<&str> = pieces
                    .iter()
                    .map(|piece| piece.as_ref().map_or(".", |name| name.value.as_str()))
                    .collect();
                join(f, &names, "|")?;
                write!(f, " -> {square}")
            }
            Self::Shift(from, to) => write!(f, "{from} -> {to}"),
            Self::Set(square, flag) => write!(f, "{square} +{}", flag.value),
            Self::Clear(square, flag) => write!(f, "{square} -{}", flag.value),
        }
    }
}
