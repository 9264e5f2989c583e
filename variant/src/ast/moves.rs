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
    /// Where the piece is before it.
    pub source: Source,
    /// `nomate` among the conditions: whether it may give mate.
    pub mating: Mating,
    /// Where the move stands.
    pub span: Spanned<()>,
}

/// Where a piece is before its move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Source {
    /// On the board.
    #[default]
    Board,
    /// In its player's hand: the move is a drop, whose origin is its target.
    Hand,
}

/// Whether a move may give mate.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mating {
    /// It may.
    #[default]
    Allowed,
    /// It may not.
    Forbidden,
}

/// What the left and right edges of the board are to a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Edges {
    /// The end.
    #[default]
    Closed,
    /// Joined to each other.
    Joined,
}

/// A variable and the values that it takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// A small letter.
    pub name: Spanned<char>,
    /// Its values.
    pub domain: Domain,
}

/// The values of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// `<low,high>` or, without the last value, `<low,high)`.
    Range {
        /// The first value.
        low: Expr,
        /// The last value or the one behind it.
        high: Expr,
        /// Which of the two.
        end: RangeEnd,
    },
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
    /// In the order of the file; never empty in a parsed file.
    pub terms: Vec<Term>,
    /// Where it stands.
    pub span: Spanned<()>,
}

/// A number, or a number times a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// The number with its sign.
    pub factor: i32,
    /// The variable.
    pub variable: Option<char>,
}

/// A row or column: counted from the piece, or from the player's corner after `$`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Coordinate {
    /// Which of the two.
    pub from: Origin,
    /// The number.
    pub expr: Expr,
}

/// What a coordinate counts from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Origin {
    /// The square of the moving piece.
    #[default]
    Piece,
    /// The first row and column as the player sees them.
    Corner,
}

/// A square such as `(1 0)` or `($a $b)`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SquareText {
    /// The row, positive forward.
    pub row: Coordinate,
    /// The column, positive to the right.
    pub column: Coordinate,
}

/// A condition: one of the alternatives has to hold.
pub type Condition = Vec<Alternative>;

/// One alternative of a condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Alternative {
    /// Something about a square.
    Square(SquareText, Predicate),
    /// Something about where the piece comes from or goes to.
    Zone(Region),
}

/// Something about a square.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Predicate {
    /// Nobody is there.
    Empty,
    /// Somebody is there.
    Occupied,
    /// A piece of the opponent is there.
    Opponent,
    /// A piece of the mover is there.
    Friend,
    /// The opponent could capture there.
    Attacked,
    /// The opponent could not capture there.
    Unattacked,
    /// A piece with the flag is there.
    Flag(Word),
    /// No piece with the flag is there.
    NoFlag(Word),
    /// A piece of one of these types is there, of either owner.
    Type(Vec<Word>),
    /// No piece of this type is there.
    NoType(Word),
}

/// A part of the board: any of the regions.
pub type Zone = Vec<Region>;

/// A part of the board: all of the comparisons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// The square that is compared.
    pub of: Whose,
    /// All of them have to hold; never empty.
    pub comparisons: Vec<Comparison>,
}

/// Which square a zone speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// The one that the piece comes from.
    Origin,
    /// `t`: the one that it goes to.
    Target,
}

/// A comparison such as `ROW = 7`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// What is compared.
    pub axis: Axis,
    /// How.
    pub operator: Operator,
    /// With what, from 0.
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
    /// A piece goes from one square to another.
    Shift(SquareText, SquareText),
    /// A flag is set on the piece that is there.
    Set(SquareText, Word),
    /// A flag is taken from the piece that is there.
    Clear(SquareText, Word),
}
