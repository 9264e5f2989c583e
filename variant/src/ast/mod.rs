//! A variant file as it is written, before anything is looked up.

mod moves;
mod spanned;

pub use moves::{
    Alternative, Axis, Comparison, Condition, Coordinate, Domain, Edges, Effect, Expr, Mating,
    MoveText, Operator, Origin, Predicate, RangeEnd, Region, Source, SquareText, Term, Variable,
    Whose, Zone,
};
pub use spanned::{Spanned, Word};

/// A file: one variant, or several that begin with `@variant`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct File {
    /// In the order of the file; a text before the first `@variant` is a variant without a name.
    pub variants: Vec<VariantText>,
}

/// One variant of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct VariantText {
    /// Behind `@variant`.
    pub name: Option<Word>,
    /// The other lines that begin with `@`.
    pub directives: Vec<Spanned<Directive>>,
    /// The pieces in the order of the file.
    pub pieces: Vec<PieceText>,
    /// The start position.
    pub diagram: Option<Diagram>,
}

/// How Black sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetry {
    /// Rows are turned over, columns are not.
    #[default]
    Mirror,
    /// The board is turned by 180 degrees.
    Rotate,
    /// As White does.
    None,
}

/// How Betza notation is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// An atom without a number moves any distance; `Q` stays in place, `U` leaps anywhere.
    #[default]
    Thesis,
    /// As XBoard: an atom without a number moves once; `R`, `B`, `Q`, `K` are the chess pieces.
    XBetza,
}

/// What the end of a game means for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It has lost.
    Loss,
    /// Nobody has won.
    Draw,
    /// It has won.
    Win,
}

/// Whether a piece may move to where it could never move again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Immobile {
    /// It may.
    #[default]
    Legal,
    /// It may not.
    Illegal,
}

/// Which pieces the players hold in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Holding {
    /// None.
    #[default]
    Nothing,
    /// Those of the start position and what they capture.
    Captured,
    /// Those of the start position.
    Given,
}

/// A line that begins with `@`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directive {
    /// A title for people.
    Name(String),
    /// How Black sees the board.
    Symmetry(Symmetry),
    /// How Betza notation is read.
    Betza(Dialect),
    /// The royal pieces; empty for `none`.
    Royal(Vec<Word>),
    /// What it means to have no legal move and not to be in check.
    Stalemate(Verdict),
    /// What it means to have no legal move and to be in check.
    Checkmate(Verdict),
    /// What the given occurrence of a position means; 0 occurrences switch the rule off.
    Repetition(u32, Verdict),
    /// What it means for the player who has given check with every move, when a position repeats.
    Perpetual(Verdict),
    /// What this number of moves of both sides without progress means; 0 moves switch the rule off.
    MoveLimit(u32, Verdict),
    /// Whether a piece may move to where it could never move again.
    Immobile(Immobile),
    /// Which pieces the players hold in hand.
    Hand(Holding),
    /// The variant of which this is a change.
    Extends(Word),
    /// The start position as FEN.
    Fen(String),
}

/// A piece: its name and what follows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceText {
    /// Its name.
    pub name: Word,
    /// What follows, in the order of the file.
    pub parts: Vec<Part>,
}

/// One part of a piece's definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Betza notation: in quotation marks after `x` it is XBetza, else in the file's dialect.
    Betza {
        /// Set by `x"..."`.
        dialect: Option<Dialect>,
        /// The notation.
        text: Word,
    },
    /// A move in braces.
    Move(MoveText),
    /// `promotion` or `opromotion`.
    Promotion {
        /// Whether the piece may also stay what it is.
        choice: Choice,
        /// Where.
        zone: Spanned<Zone>,
        /// To what.
        pieces: Vec<Word>,
    },
    /// `only`: a zone that binds all moves of the piece.
    Only(Zone),
    /// `drop`: how the piece comes from its player's hand onto an empty square.
    Drop {
        /// Where; empty for any square.
        zone: Zone,
        /// The conditions and effects in braces; without braces it has none.
        text: MoveText,
    },
    /// `hand`: what a captured piece is in hand.
    Hand {
        /// Its kind there.
        piece: Word,
        /// `*flag`: only if it has the flag.
        flag: Option<Word>,
    },
    /// A flag that the piece may have.
    Flag {
        /// Its name without marks.
        name: Word,
        /// `+`: set when the game starts.
        start: Start,
        /// `_`: gone after the next move.
        life: Life,
    },
}

/// Whether a promotion is forced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// `promotion`.
    Forced,
    /// `opromotion`.
    Optional,
}

/// Whether a flag is set when the game starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// It is.
    Set,
    /// It is not.
    Unset,
}

/// How long a flag lasts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    /// Until an effect takes it away.
    Lasting,
    /// Until the next move.
    Transient,
}

/// The start position, Black's side on top.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagram {
    /// Rows from the top, each from the left.
    pub rows: Vec<Spanned<Vec<Spanned<Cell>>>>,
}

/// One square of a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// `.` or `-`.
    Empty,
    /// A name whose case shows its owner.
    Name(String),
    /// `w:NAME`.
    White(String),
    /// `b:NAME`.
    Black(String),
}
