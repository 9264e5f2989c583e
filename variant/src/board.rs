//! Squares, sets of squares, sides and moves.

use std::fmt;

/// A square: its row from White's side times the number of columns, plus its column.
pub type Square = u8;

/// A side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Color {
    /// Moves first.
    White,
    /// Moves second.
    Black,
}

impl Color {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// 0 for White, 1 for Black.
    pub fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::White { "White" } else { "Black" })
    }
}

/// A piece and its owner.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Its owner.
    pub color: Color,
    /// Its number among the pieces of the game, in the order of
    /// [`Game::piece_names`](crate::Game::piece_names).
    pub kind: u8,
}

impl Piece {
    /// The number of what is no piece of the game: an obstacle of a [`SetupBoard`](crate::SetupBoard).
    pub const OBSTACLE: u8 = 63;

    /// Index among the pieces of both sides: twice the number, one more for Black.
    #[inline]
    pub fn slot(self) -> usize {
        usize::from(self.kind) * 2 + self.color.index()
    }
}

/// A piece and its owner in a byte: 0 is an empty square, else bits 0 and 1 are 1 for White and 2
/// for Black, and the bits above the number of the type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub(crate) struct Code(pub(crate) u8);

impl Code {
    pub(crate) const EMPTY: Self = Self(0);

    pub(crate) fn new(color: Color, piece: usize) -> Self {
        Self((piece as u8) << 2 | (color as u8 + 1))
    }

    pub(crate) fn color(self) -> Option<Color> {
        match self.0 & 3 {
            1 => Some(Color::White),
            2 => Some(Color::Black),
            _ => None,
        }
    }

    pub(crate) fn piece(self) -> usize {
        usize::from(self.0 >> 2)
    }

    #[inline]
    pub(crate) fn as_piece(self) -> Option<Piece> {
        Some(Piece { color: self.color()?, kind: self.0 >> 2 })
    }

    /// Index among the pieces of both sides: twice the type, one more for Black.
    pub(crate) fn slot(self) -> usize {
        self.piece() * 2 + usize::from(self.0 & 3 == 2)
    }
}

/// A set of squares, in words of 64. A small board needs the first word alone: move generation works
/// on as many of the first words of a [`SquareSet`] as the board has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Set<const WORDS: usize>([u64; WORDS]);

/// A set of squares of any board.
pub type SquareSet = Set<4>;

/// For each square the set that has it alone. Sets are always written as a whole: reading a whole
/// set soon after a part of it was written stalls the processor.
static ONE: [SquareSet; 256] = {
    let mut sets = [SquareSet::EMPTY; 256];
    let mut square = 0;
    while square < 256 {
        sets[square].0[square >> 6] = 1 << (square & 63);
        square += 1;
    }
    sets
};

impl<const WORDS: usize> Default for Set<WORDS> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl SquareSet {
    /// The set on a board of `WORDS` words: its squares are in these words
    /// ([`Game::words`](crate::Game::words)).
    #[inline]
    pub fn first<const WORDS: usize>(&self) -> Set<WORDS> {
        Set(std::array::from_fn(|i| self.0[i]))
    }
}

impl<const WORDS: usize> Set<WORDS> {
    /// No square.
    pub const EMPTY: Self = Self([0; WORDS]);

    /// All squares that there can be, on the board or not.
    pub(crate) const FULL: Self = Self([u64::MAX; WORDS]);

    /// The same set for any board.
    #[inline]
    pub(crate) fn whole(self) -> SquareSet {
        Set(std::array::from_fn(|i| self.0.get(i).copied().unwrap_or(0)))
    }

    /// Returns `true` if the square is in it.
    #[inline]
    pub fn has(&self, square: Square) -> bool {
        match self.0.get(usize::from(square >> 6)) {
            Some(word) => word >> (square & 63) & 1 != 0,
            None => false,
        }
    }

    /// The set of one square.
    #[inline]
    fn one(square: Square) -> Self {
        ONE[usize::from(square)].first()
    }

    /// Puts a square in.
    #[inline]
    pub fn insert(&mut self, square: Square) {
        *self = self.or(Self::one(square));
    }

    /// Takes a square out.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        *self = self.minus(Self::one(square));
    }

    /// Returns `true` if there is no square in it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// How many squares are in it.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The squares of both.
    #[inline]
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & other.0[i]))
    }

    /// The squares of either.
    #[inline]
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// The squares of this one that are not in the other.
    #[inline]
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] & !other.0[i]))
    }

    /// All squares up to its lowest one, that one included; all that there are if it is empty.
    #[inline]
    pub(crate) fn up_to_lowest(self) -> Self {
        let mut passed = false;
        Self(self.0.map(|word| {
            let squares = if passed { 0 } else { word ^ word.wrapping_sub(1) };
            passed |= word != 0;
            squares
        }))
    }

    /// All squares down to its highest one, that one included; all that there are if it is empty.
    #[inline]
    pub(crate) fn down_to_highest(self) -> Self {
        let mut squares = self.0;
        let mut passed = false;
        for word in squares.iter_mut().rev() {
            let below = (*word | 1).leading_zeros();
            let found = *word != 0;
            *word = if passed { 0 } else { u64::MAX << (63 - below) };
            passed |= found;
        }
        Self(squares)
    }

    /// Its squares in ascending order.
    #[inline]
    pub fn iter(&self) -> Squares<WORDS> {
        Squares { words: self.0, word: 0 }
    }
}

impl<const WORDS: usize> FromIterator<Square> for Set<WORDS> {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        let mut set = Self::EMPTY;
        squares.into_iter().for_each(|square| set.insert(square));
        set
    }
}

/// The squares of a set.
#[derive(Clone, Debug)]
pub struct Squares<const WORDS: usize = 4> {
    words: [u64; WORDS],
    word: usize,
}

impl<const WORDS: usize> Iterator for Squares<WORDS> {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        while let Some(bits) = self.words.get_mut(self.word) {
            if *bits != 0 {
                let square = self.word as u32 * 64 + bits.trailing_zeros();
                *bits &= *bits - 1;
                return Some(square as Square);
            }
            self.word += 1;
        }
        None
    }
}

impl<const WORDS: usize> DoubleEndedIterator for Squares<WORDS> {
    #[inline]
    fn next_back(&mut self) -> Option<Square> {
        let (word, bits) = self.words.iter_mut().enumerate().rev().find(|(_, bits)| **bits != 0)?;
        let bit = bits.ilog2();
        *bits ^= 1 << bit;
        Some((word as u32 * 64 + bit) as Square)
    }
}

/// A move of a position: meaningless without the game that made it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Move {
    /// Where the piece comes from: a square, or [`Move::HAND`] plus its number for a drop.
    /// [`origin`](Self::origin) and [`dropped`](Self::dropped) tell them apart.
    pub from: Square,
    /// Where it goes to.
    pub to: Square,
    /// 0 if nothing else happens; else the number of the move, from 1, among those with effects
    /// that the piece has from that square, in canonical order.
    pub(crate) index: u16,
}

impl Move {
    /// What is added to the number of a piece that comes from the hand. No square is so great.
    pub const HAND: Square = 192;

    /// The square that the piece comes from; `None` if it comes from the hand.
    #[inline]
    pub fn origin(self) -> Option<Square> {
        (self.from < Self::HAND).then_some(self.from)
    }

    /// The number of the piece that comes from the hand; `None` if it comes from a square.
    #[inline]
    pub fn dropped(self) -> Option<u8> {
        self.from.checked_sub(Self::HAND)
    }

    /// Returns `true` if it does more than go to its target.
    #[inline]
    pub(crate) fn has_effects(self) -> bool {
        self.index != 0
    }

    /// The move in 32 bits: origin, target and number, for tables.
    #[inline]
    pub fn bits(self) -> u32 {
        u32::from(self.index) << 16 | u32::from(self.to) << 8 | u32::from(self.from)
    }

    /// The move of these bits. It may be no move of any position and has to be looked for among
    /// the legal ones.
    #[inline]
    pub fn from_bits(bits: u32) -> Self {
        Self { from: bits as u8, to: (bits >> 8) as u8, index: (bits >> 16) as u16 }
    }
}
