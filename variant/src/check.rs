//! What a definition says about names that it does not know.

use std::collections::BTreeSet;

use crate::ast::{
    Alternative, Axis, Cell, Directive, Domain, Effect, Explosion, Expr, Holding, MoveText, Part,
    PieceText, Predicate, Region, Source, Spanned, SquareText, Start, VariantText, Verdict, Word,
};
use crate::betza::{Size, at};
use crate::definition::{Definition, PROMOTED, PieceDefinition, UNMOVED};
use crate::diagnostic::{Code, Diagnostic, Span};

/// Checks every name of every move.
pub(crate) fn check(variant: &VariantText, definition: &Definition, remarks: &mut Vec<Diagnostic>) {
    let mut checker = Checker { definition, remarks, code: Code::UnknownPiece };
    // Moves as they are written: what is written once is reported once.
    for piece in &variant.pieces {
        for part in &piece.parts {
            match part {
                Part::Move(text) | Part::Drop { text, .. } => checker.move_text(text),
                Part::Hand { piece, flag } => {
                    checker.piece(piece);
                    flag.iter().for_each(|flag| checker.flag(flag));
                }
                Part::Promotion { pieces, .. } => {
                    checker.code = Code::PromotionPiece;
                    pieces.iter().for_each(|name| checker.piece(name));
                    checker.code = Code::UnknownPiece;
                }
                _ => {}
            }
        }
    }
    for line in &variant.directives {
        checker.directive(&line.value);
    }
    if !remarks.iter().any(Diagnostic::is_error) {
        idle_flags(variant, definition, remarks);
        idle_unmoved(definition, remarks);
        idle_hands(variant, definition, remarks);
        empty_zones(variant, definition.size, remarks);
        missing_points(variant, definition, remarks);
    }
}

struct Checker<'a> {
    definition: &'a Definition,
    remarks: &'a mut Vec<Diagnostic>,
    /// What an unknown piece is reported as.
    code: Code,
}

impl Checker<'_> {
    fn move_text(&mut self, text: &MoveText) {
        self.variables(text);
        for condition in &text.conditions {
            for alternative in condition {
                match alternative {
                    Alternative::Square(_, Predicate::Flag(flag) | Predicate::NoFlag(flag)) => {
                        self.flag(flag);
                    }
                    Alternative::Square(_, Predicate::Type(names)) => {
                        names.iter().for_each(|name| self.piece(name));
                    }
                    Alternative::Square(_, Predicate::NoType(name)) => self.piece(name),
                    _ => {}
                }
            }
        }
        for effect in &text.effects {
            match effect {
                Effect::Put(pieces, _) => {
                    pieces.iter().flatten().for_each(|name| self.piece(name));
                }
                Effect::Set(_, flag) | Effect::Clear(_, flag) => self.flag(flag),
                Effect::Shift(..) => {}
            }
        }
    }

    /// The pieces that a line names; that of royal ones is checked where they are found.
    fn directive(&mut self, line: &Directive) {
        let names = match line {
            Directive::Goal(Some(goal)) => &goal.pieces,
            Directive::Extinction(Some((_, pieces))) => pieces,
            Directive::Explosion(Explosion::Spares(pieces)) | Directive::Gating(pieces) => pieces,
            Directive::Points(points) => {
                points.pieces.iter().for_each(|(name, _)| self.piece(name));
                return;
            }
            _ => return,
        };
        names.iter().for_each(|name| self.piece(name));
    }

    fn flag(&mut self, flag: &Word) {
        if self.definition.flag(&flag.value).is_none() {
            let message = format!("no piece has a flag '{}'", flag.value);
            let names = self.definition.flags.iter().map(|flag| flag.name.as_str());
            let remark = Diagnostic::new(Code::UnknownFlag, flag.span, message)
                .help("name the flag in the line of a piece that may have it");
            self.remarks.push(remark.suggest(&flag.value, names));
        }
    }

    fn piece(&mut self, name: &Word) {
        if self.definition.piece(&name.value).is_none() {
            let message = format!("there is no piece '{}'", name.value);
            let names = self.definition.pieces.iter().map(|piece| piece.name.value.as_str());
            let all = names.clone().collect::<Vec<_>>().join(" ");
            let remark = Diagnostic::new(self.code, name.span, message)
                .help(format!("the pieces are {all}"));
            self.remarks.push(remark.suggest(&name.value, names));
        }
    }

    /// Every variable is bound, and before another domain uses it.
    fn variables(&mut self, text: &MoveText) {
        let all: BTreeSet<char> = text.variables.iter().map(|v| v.name.value).collect();
        let mut bound = BTreeSet::new();
        for variable in &text.variables {
            let name = variable.name.value;
            match &variable.domain {
                Domain::Range { low, high, .. } => {
                    [low, high].into_iter().for_each(|expr| self.expr(expr, &bound, &all));
                }
                Domain::Set(values) => {
                    values.iter().for_each(|expr| self.expr(expr, &bound, &all));
                }
            }
            if !bound.insert(name) {
                let message = format!("the variable '{name}' has its values already");
                self.remarks.push(Diagnostic::new(Code::Repeated, variable.name.span, message));
            }
        }
        for square in squares(text) {
            self.expr(&square.row.expr, &bound, &all);
            self.expr(&square.column.expr, &bound, &all);
        }
    }

    fn expr(&mut self, expr: &Expr, bound: &BTreeSet<char>, all: &BTreeSet<char>) {
        for name in expr.terms.iter().filter_map(|term| term.variable) {
            if bound.contains(&name) {
                continue;
            }
            let span = expr.span.span;
            self.remarks.push(if all.contains(&name) {
                let message = format!("the values of '{name}' are only said later");
                Diagnostic::new(Code::UnboundVariable, span, message)
                    .help(format!("put '{name} in ...' before the variable that uses it"))
            } else {
                let message = format!("unknown variable '{name}'");
                Diagnostic::new(Code::UnknownVariable, span, message)
                    .help(format!("give its values: -vars {name} in <1,7>"))
            });
        }
    }
}

/// All squares of a move.
pub(crate) fn squares(text: &MoveText) -> Vec<&SquareText> {
    let conditions = text.conditions.iter().flatten().filter_map(|alternative| match alternative {
        Alternative::Square(square, _) => Some(square),
        Alternative::Zone(_) => None,
    });
    generating_squares(text).into_iter().chain(conditions).collect()
}

/// The squares of its target and effects, which tell moves apart.
pub(crate) fn generating_squares(text: &MoveText) -> Vec<&SquareText> {
    let mut squares = vec![&text.target];
    for effect in &text.effects {
        match effect {
            Effect::Put(_, square) | Effect::Set(square, _) | Effect::Clear(square, _) => {
                squares.push(square);
            }
            Effect::Shift(from, to) => squares.extend([from, to]),
        }
    }
    squares
}

/// Returns `true` if a move of the piece sets a flag.
pub(crate) fn sets_flag(piece: &PieceDefinition, name: &str) -> bool {
    piece
        .moves
        .iter()
        .flat_map(|text| &text.effects)
        .any(|effect| matches!(effect, Effect::Set(_, flag) if flag.value == name))
}

/// Returns `true` if a move of the piece asks for a flag.
pub(crate) fn tests_flag(piece: &PieceDefinition, name: &str) -> bool {
    piece.moves.iter().flat_map(|text| text.conditions.iter().flatten()).any(|alternative| {
        matches!(alternative,
            Alternative::Square(_, Predicate::Flag(flag) | Predicate::NoFlag(flag))
                if flag.value == name)
    })
}

/// Drops without hands, and hands without drops.
fn idle_hands(variant: &VariantText, definition: &Definition, remarks: &mut Vec<Diagnostic>) {
    let last = |is: &dyn Fn(&Directive) -> bool| {
        let line = variant.directives.iter().rev().find(|line| is(&line.value));
        line.map_or(Span::default(), |line| line.span)
    };
    if definition.rules.holding == Holding::Nothing && !definition.rules.gating.is_empty() {
        let message = "nothing is ever in hand, so nothing can be gated";
        let span = last(&|line| matches!(line, Directive::Gating(_)));
        let remark = Diagnostic::new(Code::IdleHand, span, message);
        remarks.push(remark.help("write @hand given, and the hands in @fen"));
    } else if definition.rules.holding == Holding::Nothing {
        let drops = definition.pieces.iter().flat_map(|piece| &piece.moves);
        let Some(text) = drops.into_iter().find(|text| text.source == Source::Hand) else { return };
        let message = "nothing is ever in hand, so this drop cannot happen";
        let remark = Diagnostic::new(Code::IdleHand, text.span.span, message);
        remarks.push(remark.help("write @hand where captured pieces come into the hand"));
    } else if definition.held().is_empty() {
        let span = last(&|line| matches!(line, Directive::Hand(_)));
        let message = "no piece can be dropped or gated, so nothing comes into a hand";
        let remark = Diagnostic::new(Code::IdleHand, span, message);
        remarks.push(remark.help("write drop behind the pieces that can be dropped, or @gating"));
    }
}

/// A rule that counts points where no piece has any.
fn missing_points(variant: &VariantText, definition: &Definition, remarks: &mut Vec<Diagnostic>) {
    use Directive::{Checkmate, Extinction, Facing, MoveLimit, Passes, Repetition, Stalemate};
    let counts = |line: &Directive| match line {
        Stalemate(verdict) | Checkmate(verdict) | Facing(Some(verdict)) => *verdict,
        Repetition(_, verdict, _) | MoveLimit(_, verdict) | Passes(_, verdict) => *verdict,
        Extinction(Some((verdict, _))) => *verdict,
        _ => Verdict::Draw,
    };
    let line = variant.directives.iter().find(|line| counts(&line.value) == Verdict::Points);
    if let Some(line) = line.filter(|_| definition.points.0.is_empty()) {
        let message = "no piece has points, so this is a draw";
        let remark = Diagnostic::new(Code::IdlePoints, line.span, message);
        remarks.push(remark.help("say what the pieces count: @points r 5 n 3"));
    }
}

/// Goals and promotions that no square of the board allows: rows count from 0, and a board may have become
/// smaller.
fn empty_zones(variant: &VariantText, size: Size, remarks: &mut Vec<Diagnostic>) {
    let (row, column) = (size.rows - 1, size.columns - 1);
    let help = format!("rows are 0 to {row} here, columns 0 to {column}");
    for line in &variant.directives {
        let Directive::Goal(Some(goal)) = &line.value else { continue };
        if !goal.zone.iter().any(|region| has_square(region, size)) {
            let message = "nothing can reach a goal off the board";
            remarks.push(Diagnostic::new(Code::EmptyZone, line.span, message).help(&*help));
        }
    }
    for PieceText { name, parts } in &variant.pieces {
        for part in parts {
            let Part::Promotion { zone, .. } = part else { continue };
            if zone.value.iter().any(|region| has_square(region, size)) {
                continue;
            }
            let message = format!("'{}' cannot promote in a zone off the board", name.value);
            remarks.push(Diagnostic::new(Code::EmptyZone, zone.span, message).help(&*help));
        }
    }
}

/// The remark about a cell that is no piece. A long name may lack its owner.
pub(crate) fn no_piece(cell: &Spanned<Cell>, definition: &Definition) -> Diagnostic {
    let text = cell.value.to_string();
    let low = text.to_lowercase();
    let name = low.strip_prefix("w:").or_else(|| low.strip_prefix("b:")).unwrap_or(&low);
    let message = format!("'{text}' is no piece of this game");
    let remark = Diagnostic::new(Code::UnknownPiece, cell.span, message);
    let mut names = definition.pieces.iter().map(|piece| piece.name.value.as_str());
    match names.clone().find(|known| known.to_lowercase() == name) {
        Some(known) => remark.help(format!("write w:{known} or b:{known}")),
        None => remark.suggest(name, names.by_ref()),
    }
}

/// Returns `true` if a board of that size has a square in the region.
fn has_square(region: &Region, size: Size) -> bool {
    let has = |axis: Axis, length: i32| {
        let own = || region.comparisons.iter().filter(|comparison| comparison.axis == axis);
        (0..length).any(|value| own().all(|one| one.operator.holds(value, one.number)))
    };
    has(Axis::Row, size.rows) && has(Axis::Column, size.columns)
}

fn idle_flags(variant: &VariantText, definition: &Definition, remarks: &mut Vec<Diagnostic>) {
    let mut reported = BTreeSet::from([UNMOVED.to_owned(), PROMOTED.to_owned()]);
    for part in variant.pieces.iter().flat_map(|piece| &piece.parts) {
        let Part::Flag { name, .. } = part else { continue };
        if !reported.insert(name.value.clone()) {
            continue;
        }
        let started = variant.pieces.iter().flat_map(|piece| &piece.parts).any(|part| {
            matches!(part, Part::Flag { name: other, start: Start::Set, .. } if other == name)
        });
        let set = started || definition.pieces.iter().any(|p| sets_flag(p, &name.value));
        let in_hand = variant
            .pieces
            .iter()
            .flat_map(|piece| &piece.parts)
            .any(|part| matches!(part, Part::Hand { flag: Some(flag), .. } if flag == name));
        let tested = in_hand || definition.pieces.iter().any(|p| tests_flag(p, &name.value));
        if !set || !tested {
            let name = &name;
            let (what, help) = match set {
                true => ("tested", format!("a condition tests it, such as (0 0) *{}", name.value)),
                false => ("set", format!("an effect sets it, such as (0 0) +{}", name.value)),
            };
            let message = format!("the flag '{}' is never {what}", name.value);
            remarks.push(Diagnostic::new(Code::IdleFlag, name.span, message).help(help));
        }
    }
}

/// Pieces with a move only while unmoved, in a game where only other pieces have that flag.
fn idle_unmoved(definition: &Definition, remarks: &mut Vec<Diagnostic>) {
    let in_fen = definition.fen.as_ref().is_some_and(|fen| fen.value.contains('{'));
    if in_fen || definition.pieces.iter().any(|piece| sets_flag(piece, UNMOVED)) {
        return;
    }
    let own = at((0, 0));
    for piece in definition.pieces.iter().filter(|piece| !piece.carries_unmoved) {
        let mut conditions = piece.moves.iter().flat_map(|text| &text.conditions);
        let asks = conditions.any(|condition| {
            matches!(condition.as_slice(),
                [Alternative::Square(square, Predicate::Flag(flag))]
                    if *square == own && flag.value == UNMOVED)
        });
        if asks {
            let message =
                format!("'{}' has a move only while unmoved, which it never is", piece.name.value);
            let remark = Diagnostic::new(Code::IdleFlag, piece.name.span, message);
            remarks.push(remark.help("write +unmoved behind its moves, as other pieces have it"));
        }
    }
}

/// A word that is used as a flag but was read as Betza notation gets a remark that says so.
pub(crate) fn flag_like_betza(remark: Diagnostic, variant: &VariantText) -> Diagnostic {
    let within = |span: Span| {
        span.line == remark.span.line
            && (span.column..=span.column + span.length).contains(&remark.span.column)
    };
    let mut parts = variant.pieces.iter().flat_map(|piece| &piece.parts);
    let text = parts.find_map(|part| match part {
        Part::Betza { text, .. } if within(text.span) => Some(text),
        _ => None,
    });
    let Some(text) = text.filter(|text| is_used_as_flag(&text.value, variant)) else {
        return remark;
    };
    let message =
        format!("'{}' is used as a flag but has the capitals of Betza notation", text.value);
    Diagnostic::new(Code::AmbiguousToken, text.span, message)
        .help(format!("write the flag in small letters: {}", text.value.to_lowercase()))
}

fn is_used_as_flag(word: &str, variant: &VariantText) -> bool {
    let moves =
        variant.pieces.iter().flat_map(|piece| &piece.parts).filter_map(|part| match part {
            Part::Move(text) => Some(text),
            _ => None,
        });
    moves.into_iter().any(|text| {
        let tested = text.conditions.iter().flatten().any(|alternative| {
            matches!(alternative,
                Alternative::Square(_, Predicate::Flag(flag) | Predicate::NoFlag(flag))
                    if flag.value == word)
        });
        tested
            || text.effects.iter().any(|effect| {
                matches!(effect, Effect::Set(_, flag) | Effect::Clear(_, flag) if flag.value == word)
            })
    })
}
