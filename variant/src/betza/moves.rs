//! The moves of a Betza group in the notation with braces.

use super::build::{Size, along, anywhere, at, constant, is, linear, range, remove, unmoved, word};
use super::castling::castling;
use super::directions::{Step, all, chosen, shape};
use super::group::{Group, Leg};
use crate::ast::{
    Alternative, Condition, Dialect, Edges, Effect, MoveText, Predicate, RangeEnd, Spanned,
    SquareText,
};
use crate::diagnostic::{Code, Diagnostic};

/// The flag of a piece that may be captured en passant, in XBetza.
pub(crate) const EN_PASSANT: &str = "en_passant";

/// The moves of a group.
///
/// # Errors
/// If its modifiers do not go together.
pub(crate) fn moves(
    group: &Group,
    dialect: Dialect,
    size: Size,
) -> Result<Vec<MoveText>, Diagnostic> {
    let mut texts = Vec::new();
    match (group.atom, dialect) {
        ('Q', Dialect::Thesis) => {
            texts.push(MoveText { target: at((0, 0)), ..MoveText::default() });
        }
        ('U', _) => texts.push(universal(group, size)),
        ('O', _) => texts = castling(group, size)?,
        (atom, _) => {
            let (atoms, slides): (&[char], bool) = match atom {
                'R' => (&['W'], true),
                'B' => (&['F'], true),
                'Q' => (&['W', 'F'], true),
                'K' => (&['W', 'F'], false),
                _ => (std::slice::from_ref(&group.atom), dialect == Dialect::Thesis),
            };
            let range = match group.number {
                None if slides => size.reach(),
                Some(0) => size.reach(),
                None => 1,
                Some(number) => number.min(size.reach().max(1)),
            };
            for &atom in atoms {
                let shape = shape(atom).expect("invariant: the atom was checked");
                texts.extend(Atom { group, atom, shape, range }.moves()?);
            }
        }
    }
    let last = group.legs.last().expect("invariant: a group has a leg");
    for text in &mut texts {
        text.span = Spanned::new((), group.span);
        if last.has('o') {
            text.edges = Edges::Joined;
        }
        if group.legs[0].has('i') && group.atom != 'O' {
            text.conditions.push(unmoved(at((0, 0))));
        }
    }
    Ok(texts)
}

/// An atom of a group: a letter such as `K` has two.
pub(super) struct Atom<'a> {
    pub(super) group: &'a Group,
    atom: char,
    pub(super) shape: Step,
    pub(super) range: u32,
}

impl Atom<'_> {
    fn leg(&self) -> &Leg {
        &self.group.legs[0]
    }

    pub(super) fn unsupported(&self, what: &str) -> Diagnostic {
        let message = format!("{what} with the atom {} is not supported", self.group.atom);
        Diagnostic::new(Code::UnsupportedBetza, self.group.span, message)
    }

    fn moves(&self) -> Result<Vec<MoveText>, Diagnostic> {
        if self.group.legs.len() > 1 {
            return self.chained();
        }
        let leg = self.leg();
        let directions = chosen(self.shape, &leg.directions);
        if directions.is_empty() {
            return Err(self.unsupported(&format!("the direction '{}'", leg.directions)));
        }
        let mut texts = Vec::new();
        for direction in directions {
            if leg.has('z') || leg.has('q') {
                texts.extend(self.bent(direction)?);
            } else if leg.has('p') {
                texts.push(self.hop(direction)?);
            } else if leg.has('g') {
                texts.push(self.grasshop(direction)?);
            } else if leg.has('n') || leg.has('j') {
                texts.extend(self.stepwise(direction)?);
            } else {
                texts.push(self.straight(direction));
            }
            if leg.has('e') {
                texts.push(self.en_passant(direction)?);
            }
        }
        Ok(texts)
    }

    /// A leap, or a ride over empty squares.
    fn straight(&self, step: Step) -> MoveText {
        if self.range == 1 {
            return arrival(at(step), self.leg());
        }
        let mut text = arrival(along(step, 'a', 0), self.leg());
        text.variables = vec![
            range('a', constant(1), constant(self.range as i32), RangeEnd::Closed),
            range('b', constant(1), linear(1, 'a', 0), RangeEnd::Open),
        ];
        text.conditions.insert(0, is(along(step, 'b', 0), Predicate::Empty));
        text
    }

    /// `p`: over exactly one piece. The effect without effect makes the place of that piece a
    /// part of the move, so that one such place is enough.
    fn hop(&self, step: Step) -> Result<MoveText, Diagnostic> {
        if self.range < 2 {
            return Err(self.unsupported("'p' on a single step"));
        }
        let mut text = arrival(along(step, 'a', 0), self.leg());
        text.variables = vec![
            range('a', constant(2), constant(self.range as i32), RangeEnd::Closed),
            range('b', constant(1), linear(1, 'a', 0), RangeEnd::Open),
            range('c', linear(1, 'b', 1), linear(1, 'a', 0), RangeEnd::Open),
            range('d', constant(1), linear(1, 'b', 0), RangeEnd::Open),
        ];
        let before = [
            is(along(step, 'd', 0), Predicate::Empty),
            is(along(step, 'b', 0), Predicate::Occupied),
            is(along(step, 'c', 0), Predicate::Empty),
        ];
        text.conditions.splice(0..0, before);
        text.effects.push(Effect::Shift(along(step, 'b', 0), along(step, 'b', 0)));
        Ok(text)
    }

    /// `g`: to the square behind the first piece on the way.
    fn grasshop(&self, step: Step) -> Result<MoveText, Diagnostic> {
        let mut text = arrival(along(step, 'a', 1), self.leg());
        text.variables = vec![
            range('a', constant(1), constant(self.range as i32), RangeEnd::Closed),
            range('b', constant(1), linear(1, 'a', 0), RangeEnd::Open),
        ];
        let before = [
            is(along(step, 'b', 0), Predicate::Empty),
            is(along(step, 'a', 0), Predicate::Occupied),
        ];
        text.conditions.splice(0..0, before);
        Ok(text)
    }

    /// `n` and `j`: leaps whose way counts, and sliders that may jump over the first square.
    fn stepwise(&self, step: Step) -> Result<Vec<MoveText>, Diagnostic> {
        let ski = self.leg().has('j') && matches!(self.atom, 'W' | 'F');
        let mut texts = Vec::new();
        for count in 1..=self.range as i32 {
            if ski && count == 1 {
                continue;
            }
            let mut text = arrival(at(times(step, count)), self.leg());
            let mut way = Vec::new();
            for i in 0..count {
                let (rows, columns) = times(step, i);
                if !ski {
                    let between =
                        if self.leg().has('j') { Predicate::Occupied } else { Predicate::Empty };
                    for (r, c) in self.between(step)? {
                        way.push(is(at((rows + r, columns + c)), between.clone()));
                    }
                }
                if i > i32::from(ski) {
                    way.push(is(at((rows, columns)), Predicate::Empty));
                }
            }
            text.conditions.splice(0..0, way);
            if self.leg().has('i') && self.leg().has('n') && !self.leg().has('c') {
                text.effects.push(Effect::Set(text.target.clone(), word(EN_PASSANT)));
            }
            texts.push(text);
        }
        Ok(texts)
    }

    /// The squares that a leap passes. A knight goes straight first, as in xiangqi.
    fn between(&self, (rows, columns): Step) -> Result<Vec<Step>, Diagnostic> {
        match self.atom {
            'W' | 'F' => Ok(Vec::new()),
            'D' | 'A' => Ok(vec![(rows / 2, columns / 2)]),
            'H' | 'G' => Ok(vec![(rows / 3, columns / 3), (rows / 3 * 2, columns / 3 * 2)]),
            'N' => Ok(vec![(rows / 2, columns / 2)]),
            _ => Err(self.unsupported("'n' or 'j'")),
        }
    }

    /// `z` changes between two neighboring directions at every step, `q` keeps turning.
    fn bent(&self, first: Step) -> Result<Vec<MoveText>, Diagnostic> {
        let around = all(self.shape);
        let start = around.iter().position(|&step| step == first).unwrap_or(0);
        let turns: &[usize] =
            if self.shape.1 == 0 || self.shape.0 == self.shape.1 { &[1, 3] } else { &[1, 7] };
        let mut texts = Vec::new();
        for &turn in turns {
            let (mut square, mut way) = ((0, 0), Vec::<Step>::new());
            for i in 0..self.range as usize {
                let turned = if self.leg().has('q') { i * turn } else { i % 2 * turn };
                let step = around[(start + turned) % around.len()];
                square = (square.0 + step.0, square.1 + step.1);
                if square == (0, 0) {
                    break;
                }
                let mut text = arrival(at(square), self.leg());
                let empty = way.iter().map(|&passed| is(at(passed), Predicate::Empty));
                text.conditions.splice(0..0, empty);
                way.push(square);
                texts.push(text);
            }
        }
        Ok(texts)
    }

    /// `e`: onto an empty square, while the piece that passed it is removed.
    fn en_passant(&self, step: Step) -> Result<MoveText, Diagnostic> {
        if self.range != 1 {
            return Err(self.unsupported("'e' on a rider"));
        }
        let victim = at((step.0 - 1, step.1));
        Ok(MoveText {
            target: at(step),
            conditions: vec![
                is(at(step), Predicate::Empty),
                is(victim.clone(), Predicate::Opponent),
                is(victim.clone(), Predicate::Flag(word(EN_PASSANT))),
            ],
            effects: vec![remove(victim)],
            ..MoveText::default()
        })
    }
}

fn times((rows, columns): Step, count: i32) -> Step {
    (rows * count, columns * count)
}

/// A move to a square under the condition that the modes say.
pub(super) fn arrival(target: SquareText, leg: &Leg) -> MoveText {
    let condition = goal(&target, leg);
    MoveText { target, conditions: vec![condition], ..MoveText::default() }
}

/// Empty with `m`, an opponent with `c`, a friend with `d`; the first two without any of these.
fn goal(target: &SquareText, leg: &Leg) -> Condition {
    let any = ['m', 'c', 'd'].into_iter().any(|mode| leg.has(mode));
    let wanted = [
        (!any || leg.has('m'), Predicate::Empty),
        (!any || leg.has('c'), Predicate::Opponent),
        (leg.has('d'), Predicate::Friend),
    ];
    wanted
        .into_iter()
        .filter(|(wanted, _)| *wanted)
        .map(|(_, predicate)| Alternative::Square(target.clone(), predicate))
        .collect()
}

/// `U`: to any square.
fn universal(group: &Group, size: Size) -> MoveText {
    let mut text = arrival(anywhere('a', 'b'), &group.legs[0]);
    text.variables = vec![
        range('a', constant(0), constant(size.rows - 1), RangeEnd::Closed),
        range('b', constant(0), constant(size.columns - 1), RangeEnd::Closed),
    ];
    text
}
