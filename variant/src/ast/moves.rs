//! A move as it is written: variables, squares, conditions and effects.

use super::spanned::{Spanned, Word};

/// A move in braces.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveText {
    /// `-vars`, in order.
    pub variables: Vec<Variable>,
    /// `-square`.
    pub target: SquareText,
    /// `-conditions`, all of which have to hold.
    pub conditions: Vec<Condition>,
    /// `-effects`, carried out in order after the piece has moved.
    pub effects: Vec<Effect>,
    /// `-cylinder`: whether the left and the right edge are joined.
    pub edges: Edges,
    pub source: Source,
    /// `nomate` among the conditions: whether it may give mate.
    pub mating: Mating,
    pub span: Spanned<()>,
}

/// Where a piece is before its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Source {
    #[default]
    Board,
    Hand,
}

/// Whether a move may give mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mating {
    #[default]
    Allowed,
    Forbidden,
}

/// What the left and right edges of the board are to a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Edges {
    #[default]
    Closed,
    Joined,
}

/// A variable and the values that it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: Spanned<char>,
    pub domain: Domain,
}

/// The values of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// `<low,high>` or, without the last value, `<low,high)`.
    Range { low: Expr, high: Expr, end: RangeEnd },
    /// `[a,b,c]`.
    Set(Vec<Expr>),
}

/// Whether a range contains its upper bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RangeEnd {
    /// `>`: it does.
    Closed,
    /// `)`: it does not.
    Open,
}

/// A sum such as `3-a` or `2a+1`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Expr {
    pub terms: Vec<Term>,
    pub span: Spanned<()>,
}

/// A number, or a number times a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    pub factor: i32,
    pub variable: Option<char>,
}

/// A row or column: counted from the piece, or from the player's corner after `$`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coordinate {
    pub from: Origin,
    pub expr: Expr,
}

/// What a coordinate counts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    #[default]
    Piece,
    Corner,
}

/// A square such as `(1 0)` or `($a $b)`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SquareText {
    pub row: Coordinate,
    pub column: Coordinate,
}

/// A condition: one of the alternatives has to hold.
pub type Condition = Vec<Alternative>;

/// One alternative of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Alternative {
    Square(SquareText, Predicate),
    Zone(Region),
}

/// Something about a square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Predicate {
    Empty,
    Occupied,
    Opponent,
    Friend,
    Attacked,
    Unattacked,
    Flag(Word),
    NoFlag(Word),
    Type(Vec<Word>),
    NoType(Word),
}

/// A part of the board: any of the regions.
pub type Zone = Vec<Region>;

/// A part of the board: all of the comparisons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    pub of: Whose,
    pub comparisons: Vec<Comparison>,
}

/// Which square a zone speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    Origin,
    /// `t`: the one that it goes to.
    Target,
}

/// A comparison such as `ROW = 7`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    pub axis: Axis,
    pub operator: Operator,
    pub number: i32,
}

/// Row or column, as the player sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    /// `ROW`.
    Row,
    /// `COL`.
    Column,
}

/// How numbers are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operator {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
}

impl Operator {
    /// Returns `true` if it holds between two numbers.
    pub fn holds(self, left: i32, right: i32) -> bool {
        match self {
            Self::Less => left < right,
            Self::LessOrEqual => left <= right,
            Self::Equal => left == right,
            Self::NotEqual => left != right,
            Self::GreaterOrEqual => left >= right,
            Self::Greater => left > right,
        }
    }

    /// The one that holds exactly where this does not.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::GreaterOrEqual => Self::Less,
            Self::Greater => Self::LessOrEqual,
        }
    }
}

/// What a move does besides moving its piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// A piece of the mover appears, or (`None`, written `.`) a square is emptied; several
    /// alternatives are several moves.
    Put(Vec<Option<Word>>, SquareText),
    Shift(SquareText, SquareText),
    Set(SquareText, Word),
    Clear(SquareText, Word),
}
