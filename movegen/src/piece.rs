//! Colors, kinds of pieces, pieces, and tables indexed by them.

use core::ops::{Index, IndexMut, Not};

/// A side of the game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// The side that moves first, at home on the first rank.
    White,
    /// The side at home on the eighth rank.
    Black,
}

impl Color {
    /// White, then Black.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The other side (also `!color`).
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// `w` or `b`, as in FEN.
    #[inline]
    pub const fn to_char(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }

    /// The side of a letter of FEN.
    #[inline]
    pub const fn from_char(letter: char) -> Option<Self> {
        match letter {
            'w' => Some(Self::White),
            'b' => Some(Self::Black),
            _ => None,
        }
    }
}

impl Not for Color {
    type Output = Self;
    fn not(self) -> Self {
        self.other()
    }
}

/// What a piece is, without its color.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum PieceKind {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl PieceKind {
    /// All kinds from pawn to king.
    pub const ALL: [Self; 6] =
        [Self::Pawn, Self::Knight, Self::Bishop, Self::Rook, Self::Queen, Self::King];

    /// What a pawn may become, strongest first.
    pub const PROMOTIONS: [Self; 4] = [Self::Queen, Self::Rook, Self::Bishop, Self::Knight];

    /// 0 for the pawn to 5 for the king.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The letter in lower case: `p n b r q k`.
    #[inline]
    pub const fn to_char(self) -> char {
        match self {
            Self::Pawn => 'p',
            Self::Knight => 'n',
            Self::Bishop => 'b',
            Self::Rook => 'r',
            Self::Queen => 'q',
            Self::King => 'k',
        }
    }

    /// The kind of a letter in either case.
    #[inline]
    pub const fn from_char(letter: char) -> Option<Self> {
        Some(match letter {
            'p' | 'P' => Self::Pawn,
            'n' | 'N' => Self::Knight,
            'b' | 'B' => Self::Bishop,
            'r' | 'R' => Self::Rook,
            'q' | 'Q' => Self::Queen,
            'k' | 'K' => Self::King,
            _ => return None,
        })
    }
}

/// A piece of a color. One byte, and so is `Option<Piece>`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Piece {
    WhitePawn,
    BlackPawn,
    WhiteKnight,
    BlackKnight,
    WhiteBishop,
    BlackBishop,
    WhiteRook,
    BlackRook,
    WhiteQueen,
    BlackQueen,
    WhiteKing,
    BlackKing,
}

const _: () = assert!(size_of::<Option<Piece>>() == 1);

impl Piece {
    /// How many pieces there are.
    pub const COUNT: usize = 12;

    /// All pieces in index order: kind by kind, White before Black.
    pub const ALL: [Self; 12] = [
        Self::WhitePawn,
        Self::BlackPawn,
        Self::WhiteKnight,
        Self::BlackKnight,
        Self::WhiteBishop,
        Self::BlackBishop,
        Self::WhiteRook,
        Self::BlackRook,
        Self::WhiteQueen,
        Self::BlackQueen,
        Self::WhiteKing,
        Self::BlackKing,
    ];

    /// The piece of this kind and color.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        match (kind, color) {
            (PieceKind::Pawn, Color::White) => Self::WhitePawn,
            (PieceKind::Pawn, Color::Black) => Self::BlackPawn,
            (PieceKind::Knight, Color::White) => Self::WhiteKnight,
            (PieceKind::Knight, Color::Black) => Self::BlackKnight,
            (PieceKind::Bishop, Color::White) => Self::WhiteBishop,
            (PieceKind::Bishop, Color::Black) => Self::BlackBishop,
            (PieceKind::Rook, Color::White) => Self::WhiteRook,
            (PieceKind::Rook, Color::Black) => Self::BlackRook,
            (PieceKind::Queen, Color::White) => Self::WhiteQueen,
            (PieceKind::Queen, Color::Black) => Self::BlackQueen,
            (PieceKind::King, Color::White) => Self::WhiteKing,
            (PieceKind::King, Color::Black) => Self::BlackKing,
        }
    }

    /// 0 to 11: twice the kind's index plus the color's.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The side the piece belongs to.
    pub const fn color(self) -> Color {
        if self as u8 & 1 == 0 { Color::White } else { Color::Black }
    }

    /// What the piece is.
    pub const fn kind(self) -> PieceKind {
        PieceKind::ALL[self as usize >> 1]
    }

    /// The FEN letter: upper case for White.
    #[inline]
    pub const fn to_char(self) -> char {
        match self.color() {
            Color::White => self.kind().to_char().to_ascii_uppercase(),
            Color::Black => self.kind().to_char(),
        }
    }

    /// The piece of a FEN letter.
    #[inline]
    pub const fn from_char(letter: char) -> Option<Self> {
        match PieceKind::from_char(letter) {
            None => None,
            Some(kind) if letter.is_ascii_uppercase() => Some(Self::new(Color::White, kind)),
            Some(kind) => Some(Self::new(Color::Black, kind)),
        }
    }
}

macro_rules! table {
    ($(#[$doc:meta])* $name:ident, $key:ty, $size:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
        pub struct $name<T>(pub [T; $size]);

        impl<T> Index<$key> for $name<T> {
            type Output = T;
            fn index(&self, key: $key) -> &T {
                &self.0[key as usize]
            }
        }

        impl<T> IndexMut<$key> for $name<T> {
            fn index_mut(&mut self, key: $key) -> &mut T {
                &mut self.0[key as usize]
            }
        }
    };
}

table!(
    /// A table with one entry a color. Indexing cannot be out of range.
    PerColor, Color, 2
);
table!(
    /// A table with one entry a kind of piece. Indexing cannot be out of range.
    PerKind, PieceKind, 6
);
table!(
    /// A table with one entry a piece. Indexing cannot be out of range.
    PerPiece, Piece, 12
);
