//! Pieces of moves, put together in code.

use crate::ast::{
    Alternative, Axis, Comparison, Condition, Coordinate, Domain, Effect, Expr, Operator, Origin,
    Predicate, RangeEnd, Region, Spanned, SquareText, Term, Variable, Whose, Word,
};
use crate::betza::directions::Step;
use crate::diagnostic::Span;

/// Rows and columns of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Size {
    pub(crate) rows: i32,
    pub(crate) columns: i32,
}

impl Size {
    /// The longest way that a rider may have.
    pub(super) fn reach(self) -> u32 {
        self.rows.max(self.columns).max(2) as u32 - 1
    }
}

/// `number`.
pub(crate) fn constant(number: i32) -> Expr {
    Expr { terms: vec![Term { factor: number, variable: None }], span: Spanned::default() }
}

/// `factor` times `variable` plus `offset`, as short as it can be written.
pub(crate) fn linear(factor: i32, variable: char, offset: i32) -> Expr {
    if factor == 0 {
        return constant(offset);
    }
    let mut terms = vec![Term { factor, variable: Some(variable) }];
    if offset != 0 {
        terms.push(Term { factor: offset, variable: None });
    }
    Expr { terms, span: Spanned::default() }
}

/// A square seen from the piece.
pub(crate) fn relative(row: Expr, column: Expr) -> SquareText {
    let coordinate = |expr| Coordinate { from: Origin::Piece, expr };
    SquareText { row: coordinate(row), column: coordinate(column) }
}

/// The square at a step from the piece.
pub(crate) fn at((rows, columns): Step) -> SquareText {
    relative(constant(rows), constant(columns))
}

/// The square at `variable` plus `offset` steps from the piece.
pub(crate) fn along((rows, columns): Step, variable: char, offset: i32) -> SquareText {
    relative(linear(rows, variable, offset * rows), linear(columns, variable, offset * columns))
}

/// A square seen from the player's corner, by two variables.
pub(crate) fn anywhere(row: char, column: char) -> SquareText {
    let coordinate = |variable| Coordinate { from: Origin::Corner, expr: linear(1, variable, 0) };
    SquareText { row: coordinate(row), column: coordinate(column) }
}

/// `name in <low,high>` or `<low,high)`.
pub(crate) fn range(name: char, low: Expr, high: Expr, end: RangeEnd) -> Variable {
    Variable { name: Spanned::new(name, Span::default()), domain: Domain::Range { low, high, end } }
}

/// A condition with a single alternative.
pub(crate) fn is(square: SquareText, predicate: Predicate) -> Condition {
    vec![Alternative::Square(square, predicate)]
}

/// The condition that the piece has not moved.
pub(crate) fn unmoved(square: SquareText) -> Condition {
    is(square, Predicate::Flag(word("unmoved")))
}

/// The condition that the piece comes from a column.
pub(crate) fn from_column(column: i32) -> Condition {
    let comparison = Comparison { axis: Axis::Column, operator: Operator::Equal, number: column };
    vec![Alternative::Zone(Region { of: Whose::Origin, comparisons: vec![comparison] })]
}

/// The effect of emptying a square.
pub(crate) fn remove(square: SquareText) -> Effect {
    Effect::Put(vec![None], square)
}

/// A word that stands nowhere.
pub(crate) fn word(text: &str) -> Word {
    Spanned::new(text.to_owned(), Span::default())
}
