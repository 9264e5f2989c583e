//! Moves of one piece of one side from one square, on squares of the board.

use crate::ast::{
    Alternative, Axis, Domain, Edges, Effect, Mating, MoveText, Origin, Predicate, RangeEnd,
    Region, Source, SquareText, Symmetry, Whose,
};
use crate::betza::Size;
use crate::board::{Color, Square};
use crate::check::generating_squares;
use crate::definition::Definition;
use crate::requirement::{Requirement, Test, TestKind};
use crate::values::{
    Budget, Exhausted, Names, Values, bit, close, evaluate, index, names_of_square,
};

/// What a move does to the board besides moving its piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Act {
    /// A piece of the mover appears; with `None` the square is emptied.
    Put(Option<u8>, Square),
    Shift(Square, Square),
    /// Flags by mask.
    Set(Square, u8),
    Clear(Square, u8),
    /// A piece of the mover comes from its hand onto a square that is left.
    Gate(u8, Square),
    /// Nothing happens, but the move may not give mate.
    NoMate,
}

/// A move from a known square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Instance {
    pub(crate) to: Square,
    /// All of them have to hold.
    pub(crate) conditions: Vec<Requirement>,
    pub(crate) acts: Vec<Act>,
}

/// A move with the values that its variables take, ready for any square.
pub(crate) struct Prepared<'a> {
    definition: &'a Definition,
    pub(crate) text: &'a MoveText,
    /// Values of the variables of the target and the effects, one entry for each move.
    pub(crate) values: Vec<Values>,
    /// For every condition, the other variables that it needs: it has to hold for all of their
    /// values.
    quantified: Vec<Names>,
}

impl<'a> Prepared<'a> {
    /// Tells the two uses of variables apart: those of the target and the effects make moves,
    /// those that only conditions have are quantified.
    pub(crate) fn new(
        definition: &'a Definition,
        text: &'a MoveText,
        budget: &mut Budget,
    ) -> Result<Self, Exhausted> {
        let seed = generating_squares(text).into_iter().map(names_of_square);
        let generating = close(text, seed.fold(0, |set, names| set | names));
        let quantified = text
            .conditions
            .iter()
            .map(|condition| {
                let used = condition.iter().fold(0, |set, alternative| match alternative {
                    Alternative::Square(square, _) => set | names_of_square(square),
                    Alternative::Zone(_) => set,
                });
                close(text, used) & !generating
            })
            .collect();
        let mut prepared = Self { definition, text, values: Vec::new(), quantified };
        let mut all = Vec::new();
        prepared.each(generating, 0, &mut [0; 26], budget, &mut |values, budget| {
            budget.instances(1)?;
            all.push(*values);
            Ok(true)
        })?;
        prepared.values = all;
        Ok(prepared)
    }

    /// Visits all values of the variables in `names`, in the order of their domains; stops when
    /// `visit` says false. True if it never did.
    fn each(
        &self,
        names: Names,
        position: usize,
        values: &mut Values,
        budget: &mut Budget,
        visit: &mut dyn FnMut(&Values, &mut Budget) -> Result<bool, Exhausted>,
    ) -> Result<bool, Exhausted> {
        budget.step()?;
        let rest = &self.text.variables[position..];
        let Some(next) = rest.iter().position(|v| names & bit(v.name.value) != 0) else {
            return visit(values, budget);
        };
        let variable = &rest[next];
        let slot = index(variable.name.value);
        let mut assign = |value: i32, values: &mut Values, budget: &mut Budget| {
            values[slot] = value;
            self.each(names, position + next + 1, values, budget, visit)
        };
        match &variable.domain {
            Domain::Range { low, high, end } => {
                let (low, high) = (evaluate(low, values), evaluate(high, values));
                let high = high.saturating_add(i32::from(*end == RangeEnd::Closed));
                for value in low..high {
                    if !assign(value, values, budget)? {
                        return Ok(false);
                    }
                }
            }
            Domain::Set(set) => {
                for expr in set {
                    let value = evaluate(expr, values);
                    if !assign(value, values, budget)? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Adds the moves of a side from a square.
    pub(crate) fn instances(
        &self,
        color: Color,
        from: Square,
        budget: &mut Budget,
        out: &mut Vec<Instance>,
    ) -> Result<(), Exhausted> {
        for values in &self.values {
            let mut values = *values;
            let view = View { prepared: self, color, from };
            let Some(to) = view.square(&self.text.target, &values) else { continue };
            let Some(conditions) = view.conditions(to, &mut values, budget)? else { continue };
            let Some(mut acts) = view.acts(&values) else { continue };
            if self.text.mating == Mating::Forbidden {
                acts.push(vec![Act::NoMate]);
            }
            budget.instances(acts.iter().map(Vec::len).fold(1, usize::saturating_mul))?;
            let mut choices = product(&acts).into_iter();
            let last = choices.next_back();
            out.extend(choices.map(|acts| Instance { to, conditions: conditions.clone(), acts }));
            out.extend(last.map(|acts| Instance { to, conditions, acts }));
        }
        Ok(())
    }
}

/// One choice out of each list.
fn product(lists: &[Vec<Act>]) -> Vec<Vec<Act>> {
    if lists.iter().all(|list| list.len() == 1) {
        return vec![lists.iter().flatten().copied().collect()];
    }
    lists.iter().fold(vec![Vec::new()], |chosen, list| {
        chosen
            .iter()
            .flat_map(|before| {
                list.iter().map(move |&act| before.iter().copied().chain([act]).collect())
            })
            .collect()
    })
}

/// Whether a side sees rows and columns reversed.
pub(crate) fn turned(color: Color, symmetry: Symmetry) -> (bool, bool) {
    match (color, symmetry) {
        (Color::White, _) | (_, Symmetry::None) => (false, false),
        (Color::Black, Symmetry::Mirror) => (true, false),
        (Color::Black, Symmetry::Rotate) => (true, true),
    }
}

/// Whether a square is in a region as a side sees it.
pub(crate) fn is_inside(
    region: &Region,
    square: Square,
    (turned_rows, turned_columns): (bool, bool),
    size: Size,
) -> bool {
    let square = i32::from(square);
    let (row, column) = (square / size.columns, square % size.columns);
    let row = if turned_rows { size.rows - 1 - row } else { row };
    let column = if turned_columns { size.columns - 1 - column } else { column };
    region.comparisons.iter().all(|comparison| {
        let value = if comparison.axis == Axis::Row { row } else { column };
        comparison.operator.holds(value, comparison.number)
    })
}

/// A move as a side sees it from a square.
struct View<'a> {
    prepared: &'a Prepared<'a>,
    color: Color,
    from: Square,
}

impl View<'_> {
    fn definition(&self) -> &Definition {
        self.prepared.definition
    }

    fn turned(&self) -> (bool, bool) {
        turned(self.color, self.definition().rules.symmetry)
    }

    fn square(&self, text: &SquareText, values: &Values) -> Option<Square> {
        let size = self.definition().size;
        let (own_row, own_column) =
            (i32::from(self.from) / size.columns, i32::from(self.from) % size.columns);
        let (turned_rows, turned_columns) = self.turned();
        let place = |origin, own: i32, value: i32, turned, length: i32| match (origin, turned) {
            (Origin::Piece, false) => own.saturating_add(value),
            (Origin::Piece, true) => own.saturating_sub(value),
            (Origin::Corner, false) => value,
            (Origin::Corner, true) => (length - 1).saturating_sub(value),
        };
        let row = evaluate(&text.row.expr, values);
        let row = place(text.row.from, own_row, row, turned_rows, size.rows);
        let column = evaluate(&text.column.expr, values);
        let mut column = place(text.column.from, own_column, column, turned_columns, size.columns);
        if self.prepared.text.edges == Edges::Joined && text.column.from == Origin::Piece {
            column = column.rem_euclid(size.columns);
        }
        ((0..size.rows).contains(&row) && (0..size.columns).contains(&column))
            .then(|| (row * size.columns + column) as Square)
    }

    fn inside(&self, region: &Region, to: Square) -> bool {
        let square = if region.of == Whose::Target { to } else { self.from };
        is_inside(region, square, self.turned(), self.definition().size)
    }

    /// The conditions that the board decides; `None` if one of them never holds.
    fn conditions(
        &self,
        to: Square,
        values: &mut Values,
        budget: &mut Budget,
    ) -> Result<Option<Vec<Requirement>>, Exhausted> {
        let text = self.prepared.text;
        let mut all = Vec::with_capacity(text.conditions.len() * 2);
        let mut tests = Vec::new();
        if text.source == Source::Hand {
            let empty = Test { kind: TestKind::Empty, square: to, argument: 0 };
            all.push(Requirement::One(empty));
        }
        for (condition, &names) in text.conditions.iter().zip(&self.prepared.quantified) {
            // Whether the condition can hold.
            let mut add = |values: &Values| {
                if self.condition(condition, to, values, &mut tests) {
                    return true;
                }
                match tests.as_slice() {
                    [] => return false,
                    [test] => all.push(Requirement::One(*test)),
                    tests => all.push(Requirement::Any(tests.to_vec())),
                }
                true
            };
            let holds = if names == 0 {
                add(values)
            } else {
                self.prepared.each(names, 0, values, budget, &mut |values, _| Ok(add(values)))?
            };
            if !holds {
                return Ok(None);
            }
        }
        Ok(Some(all))
    }

    /// Whether a condition always holds; if not, `tests` become those that it needs one of, none
    /// if it cannot hold.
    fn condition(
        &self,
        condition: &[Alternative],
        to: Square,
        values: &Values,
        tests: &mut Vec<Test>,
    ) -> bool {
        tests.clear();
        for alternative in condition {
            match alternative {
                Alternative::Zone(region) if self.inside(region, to) => return true,
                Alternative::Zone(_) => {}
                Alternative::Square(place, predicate) => {
                    if let Some(square) = self.square(place, values) {
                        self.test(predicate, square, tests);
                    }
                }
            }
        }
        tests.sort_unstable();
        tests.dedup();
        false
    }

    fn test(&self, predicate: &Predicate, square: Square, tests: &mut Vec<Test>) {
        let definition = self.definition();
        let mask = |name: &str| definition.flag(name).map_or(0, |flag| 1 << flag);
        let (kind, argument) = match predicate {
            Predicate::Empty => (TestKind::Empty, 0),
            Predicate::Occupied => (TestKind::Occupied, 0),
            Predicate::Opponent => (TestKind::Opponent, 0),
            Predicate::Friend => (TestKind::Friend, 0),
            Predicate::Attacked => (TestKind::Attacked, 0),
            Predicate::Unattacked => (TestKind::Unattacked, 0),
            Predicate::Flag(flag) => (TestKind::Flag, mask(&flag.value)),
            Predicate::NoFlag(flag) => (TestKind::NoFlag, mask(&flag.value)),
            Predicate::NoType(name) => {
                let Some(piece) = definition.piece(&name.value) else { return };
                (TestKind::NoType, piece as u16)
            }
            Predicate::Type(names) => {
                let types = names.iter().filter_map(|name| definition.piece(&name.value));
                tests.extend(types.map(|piece| Test {
                    kind: TestKind::Type,
                    square,
                    argument: piece as u16,
                }));
                return;
            }
        };
        tests.push(Test { kind, square, argument });
    }

    /// The alternatives of every effect; `None` if a square is off the board.
    fn acts(&self, values: &Values) -> Option<Vec<Vec<Act>>> {
        let definition = self.definition();
        let mask = |name: &str| definition.flag(name).map_or(0, |flag| 1u8 << flag);
        self.prepared
            .text
            .effects
            .iter()
            .map(|effect| {
                Some(match effect {
                    Effect::Put(pieces, place) => {
                        let square = self.square(place, values)?;
                        let number = |name: &crate::ast::Word| definition.piece(&name.value);
                        let put = |piece: &Option<crate::ast::Word>| {
                            let piece = piece.as_ref().and_then(number).map(|piece| piece as u8);
                            Act::Put(piece, square)
                        };
                        pieces.iter().map(put).collect()
                    }
                    Effect::Shift(from, to) => {
                        vec![Act::Shift(self.square(from, values)?, self.square(to, values)?)]
                    }
                    Effect::Set(place, flag) => {
                        vec![Act::Set(self.square(place, values)?, mask(&flag.value))]
                    }
                    Effect::Clear(place, flag) => {
                        vec![Act::Clear(self.square(place, values)?, mask(&flag.value))]
                    }
                })
            })
            .collect()
    }
}
