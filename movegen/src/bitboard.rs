//! Sets of squares.

use core::fmt;
use core::iter::FusedIterator;
use core::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::{Color, File, Rank, Square};

/// A set of squares, one bit each: bit 0 is `A1`, bit 63 is `H8`.
///
/// ```
/// use tamarin_movegen::{Bitboard, File, Rank, Square};
/// let cross = File::E.bitboard() | Rank::Fourth.bitboard();
/// assert_eq!(cross.len(), 15);
/// assert!(cross.has(Square::E1));
/// assert_eq!((cross & Rank::First.bitboard()).first(), Some(Square::E1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// All 64 squares.
    pub const ALL: Self = Self(!0);
    /// The light squares (`H1` is one).
    pub const LIGHT: Self = Self(0x55AA_55AA_55AA_55AA);
    /// The dark squares (`A1` is one).
    pub const DARK: Self = Self(!Self::LIGHT.0);

    /// Returns `true` if the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set holds at least one square.
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Returns `true` if the set holds two squares or more.
    pub const fn several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares the set holds, 0 to 64.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns `true` if the set holds `square`.
    pub const fn has(self, square: Square) -> bool {
        self.0 >> square as u8 & 1 != 0
    }

    /// The set with `square` added.
    pub const fn with(self, square: Square) -> Self {
        Self(self.0 | 1 << square as u8)
    }

    /// The set with `square` removed.
    pub const fn without(self, square: Square) -> Self {
        Self(self.0 & !(1 << square as u8))
    }

    /// The lowest square of the set.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(self.lowest()) }
    }

    /// The highest square of the set.
    #[inline]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 {
            None
        } else {
            Some(Square::from_masked(63 - self.0.leading_zeros() as u8))
        }
    }

    /// The lowest square of a set that is known not to be empty (`A1` if it is).
    pub const fn lowest(self) -> Square {
        Square::from_masked(self.0.trailing_zeros() as u8)
    }

    /// Returns `true` if every square of this set belongs to `other`.
    pub const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The set moved one rank towards the eighth.
    pub const fn north(self) -> Self {
        Self(self.0 << 8)
    }

    /// The set moved one rank towards the first.
    pub const fn south(self) -> Self {
        Self(self.0 >> 8)
    }

    /// The set moved one file towards the h-file; what stood there is lost.
    pub const fn east(self) -> Self {
        Self(self.0 << 1 & !File::A.bitboard().0)
    }

    /// The set moved one file towards the a-file; what stood there is lost.
    pub const fn west(self) -> Self {
        Self(self.0 >> 1 & !File::H.bitboard().0)
    }

    /// The set moved one rank forward as `color` sees it.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => self.north(),
            Color::Black => self.south(),
        }
    }

    /// The set with its ranks in reverse order.
    pub const fn flip_ranks(self) -> Self {
        Self(self.0.swap_bytes())
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, $a:ident, $b:ident, $e:expr) => {
        impl $trait for Bitboard {
            type Output = Self;
            #[inline]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self.0, other.0);
                Self($e)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Self) {
                let ($a, $b) = (self.0, other.0);
                self.0 = $e;
            }
        }
    };
}

operator!(BitAnd, bitand, BitAndAssign, bitand_assign, a, b, a & b);
operator!(BitOr, bitor, BitOrAssign, bitor_assign, a, b, a | b);
operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, a, b, a ^ b);
// Set difference.
operator!(Sub, sub, SubAssign, sub_assign, a, b, a & !b);

impl Not for Bitboard {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl File {
    /// The squares of this file.
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0x0101_0101_0101_0101 << self as u8)
    }
}

impl Rank {
    /// The squares of this rank.
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(0xFF << (8 * self as u8))
    }
}

impl Square {
    /// The set that holds only this square.
    pub const fn bitboard(self) -> Bitboard {
        Bitboard(1 << self as u8)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::EMPTY, Self::with)
    }
}

/// The squares of a set from the lowest to the highest.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Bitboard(self.0).lowest();
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}
impl FusedIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl fmt::Debug for Bitboard {
    /// The squares of the set, `{e1, e8}`; with `{:#?}` the board from White's side, `X` where the
    /// set has a square.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !f.alternate() {
            return f.debug_set().entries(*self).finish();
        }
        for rank in Rank::ALL.into_iter().rev() {
            f.write_str("\n")?;
            for file in File::ALL {
                f.write_str(if self.has(Square::new(file, rank)) { " X" } else { " ." })?;
            }
        }
        Ok(())
    }
}
