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
    pub pieces: Vec<PieceText>,
    pub diagram: Option<Diagram>,
}

/// How Black sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Symmetry {
    #[default]
    Mirror,
    Rotate,
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
    Loss,
    Draw,
    Win,
    /// Who has more points wins, whoever is to move.
    Points,
}

/// Which side a verdict is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Judged {
    /// The side to move.
    #[default]
    Mover,
    /// The side that moves first in the game.
    First,
    Second,
}

/// Whether a piece may move to where it could never move again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Immobile {
    #[default]
    Legal,
    Illegal,
}

/// Which pieces the players hold in hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Holding {
    #[default]
    Nothing,
    Captured,
    Given,
}

/// Whether moves may give check, and what checks are worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Checks {
    #[default]
    Allowed,
    Forbidden,
    /// Who has given so many wins.
    Counted(u8),
}

/// Whether a side that can capture has to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Captures {
    #[default]
    Optional,
    Compulsory,
}

/// `@goal`: which pieces have to get where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GoalText {
    pub pieces: Vec<Word>,
    pub zone: Zone,
    /// `last`: the side that moves second may still reach it with its next move, and draws.
    pub last: bool,
}

/// `@points`: what pieces count, in halves of a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointsText {
    pub pieces: Vec<(Word, u16)>,
    /// `second`: what the side that moves second has besides.
    pub second: u16,
}

/// `@explosion`: what captures remove besides what they capture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Explosion {
    Nothing,
    /// The piece that captures and all next to it but these.
    Spares(Vec<Word>),
}

/// A line that begins with `@`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Directive {
    Name(String),
    Symmetry(Symmetry),
    Betza(Dialect),
    /// The royal pieces; empty for `none`.
    Royal(Vec<Word>),
    Stalemate(Verdict),
    Checkmate(Verdict),
    Repetition(u32, Verdict, Judged),
    Perpetual(Verdict),
    MoveLimit(u32, Verdict),
    Immobile(Immobile),
    Checks(Checks),
    Captures(Captures),
    /// `None` for `none`.
    Goal(Option<GoalText>),
    /// What the side gets that has no piece left, or none of one of the kinds named; `None` for
    /// `none`.
    Extinction(Option<(Verdict, Vec<Word>)>),
    Explosion(Explosion),
    /// What a pass is while royal pieces of both sides face each other; `None` for `none`.
    Facing(Option<Verdict>),
    /// How many passes in a row end the game, 0 for `none`, and how.
    Passes(u32, Verdict),
    Points(PointsText),
    /// The pieces that may come from the hand onto a square that an unmoved piece leaves; none for
    /// `none`.
    Gating(Vec<Word>),
    Hand(Holding),
    Extends(Word),
    Fen(String),
}

/// A piece: its name and what follows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PieceText {
    pub name: Word,
    pub parts: Vec<Part>,
}

/// One part of a piece's definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Betza notation: in quotation marks after `x` it is XBetza, else in the file's dialect.
    Betza {
        /// Set by `x"..."`.
        dialect: Option<Dialect>,
        text: Word,
    },
    Move(MoveText),
    /// `promotion` or `opromotion`.
    Promotion {
        choice: Choice,
        zone: Spanned<Zone>,
        pieces: Vec<Word>,
    },
    /// `only`: a zone that binds all moves of the piece.
    Only(Zone),
    /// `drop`: how the piece comes from its player's hand onto an empty square.
    Drop {
        zone: Zone,
        text: MoveText,
    },
    /// `hand`: what a captured piece is in hand.
    Hand {
        piece: Word,
        /// `*flag`: only if it has the flag.
        flag: Option<Word>,
    },
    Flag {
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
    Set,
    Unset,
}

/// How long a flag lasts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Life {
    Lasting,
    Transient,
}

/// The start position, Black's side on top.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Diagram {
    pub rows: Vec<Spanned<Vec<Spanned<Cell>>>>,
}

/// One square of a diagram.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// `.` or `-`.
    Empty,
    Name(String),
    /// `w:NAME`.
    White(String),
    /// `b:NAME`.
    Black(String),
}

/// The words for the values of directives and comparisons.
macro_rules! words {
    ($($name:ident: $($variant:ident $word:literal),*;)*) => {$(
        impl $name {
            pub(crate) const WORDS: &[(&str, Self)] = &[$(($word, Self::$variant),)*];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $(Self::$variant => $word,)* })
            }
        }
    )*};
}

words! {
    Symmetry: Mirror "mirror", Rotate "rotate", None "none";
    Dialect: Thesis "thesis", XBetza "xbetza";
    Verdict: Loss "loss", Draw "draw", Win "win", Points "points";
    Judged: Mover "mover", First "first", Second "second";
    Immobile: Legal "legal", Illegal "illegal";
    Captures: Optional "optional", Compulsory "compulsory";
    Holding: Captured "captured", Given "given", Nothing "none";
    Axis: Row "ROW", Column "COL";
    Operator: LessOrEqual "<=", GreaterOrEqual ">=", NotEqual "!=", Less "<", Greater ">", Equal "=";
}
