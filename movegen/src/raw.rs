//! The only unsafe code of this crate: slider look-ups without a bounds check, `pext`, and
//! numbers taken for what they number.
//!
//! A `match` from numbers to names would do for the latter, and most often compiles to
//! nothing. But now and then the compiler jumps by a table instead, in the midst of a
//! search, and nearly always when it is told how often each way is taken: a tenth of the
//! speed of a build with profiles.

use core::mem::transmute;

use crate::magic::{BISHOP_MAGICS, Magic, ROOK_MAGICS, TABLE_SIZE};
use crate::{Bitboard, File, Move, MoveKind, Piece, PieceKind, Rank, Square};

/// The square whose index is the low six bits.
#[inline(always)]
pub(crate) const fn square(bits: u8) -> Square {
    // SAFETY: `Square` is a `u8` that may be anything from 0 to 63.
    unsafe { transmute::<u8, Square>(bits & 63) }
}

#[inline(always)]
pub(crate) const fn file(square: Square) -> File {
    // SAFETY: `File` is a `u8` that may be anything from 0 to 7.
    unsafe { transmute::<u8, File>(square as u8 & 7) }
}

#[inline(always)]
pub(crate) const fn rank(square: Square) -> Rank {
    // SAFETY: `Rank` is a `u8` that may be anything from 0 to 7, and a square is below 64.
    unsafe { transmute::<u8, Rank>(square as u8 >> 3) }
}

#[inline(always)]
pub(crate) const fn piece_kind(piece: Piece) -> PieceKind {
    // SAFETY: `PieceKind` is a `u8` that may be anything from 0 to 5. A piece is below 12.
    unsafe { transmute::<u8, PieceKind>(piece as u8 >> 1) }
}

/// What a move promotes to, if it promotes.
#[inline(always)]
pub(crate) const fn promotion_kind(m: Move) -> PieceKind {
    // SAFETY: this is 1 to 4, and a `PieceKind` is a `u8` that may be anything from 0 to 5.
    unsafe { transmute::<u8, PieceKind>((m.bits() >> 12 & 3) as u8 + 1) }
}

#[inline(always)]
pub(crate) const fn move_kind(m: Move) -> MoveKind {
    // SAFETY: both constructors of `Move` put the bits of a `MoveKind` there.
    unsafe { transmute::<u8, MoveKind>((m.bits() >> 12) as u8) }
}

/// Squares a bishop on `square` attacks, up to and including the first blockers.
///
/// ```
/// use tamarin_movegen::{Bitboard, Square, bishop_attacks};
/// assert_eq!(bishop_attacks(Square::A1, Bitboard::EMPTY).len(), 7);
/// assert_eq!(bishop_attacks(Square::A1, Square::C3.bitboard()).len(), 2);
/// ```
#[inline]
#[must_use]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&BISHOP_MAGICS[square as usize], occupied)
}

/// Squares a rook on `square` attacks, up to and including the first blockers.
///
/// ```
/// use tamarin_movegen::{Bitboard, Square, rook_attacks};
/// assert_eq!(rook_attacks(Square::A1, Bitboard::EMPTY).len(), 14);
/// assert_eq!(rook_attacks(Square::A1, Square::A2.bitboard()).len(), 8);
/// ```
#[inline]
#[must_use]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    look_up(&ROOK_MAGICS[square as usize], occupied)
}

#[cfg(fast_pext)]
#[inline]
fn look_up(magic: &Magic, occupied: Bitboard) -> Bitboard {
    // SAFETY: `fast_pext` is set only for targets whose every processor has BMI2.
    let bits = unsafe { core::arch::x86_64::_pext_u64(occupied.0, magic.mask) };
    let index = magic.offset as usize + bits as usize;
    // SAFETY: `bits` is below 2^(ones in the mask), and the offsets leave that much room
    // to each square; `magic::tests` visits every index.
    unsafe { core::hint::assert_unchecked(index < TABLE_SIZE) };
    crate::magic::PEXT_TABLE[index]
}

#[cfg(not(fast_pext))]
#[inline]
fn look_up(magic: &Magic, occupied: Bitboard) -> Bitboard {
    let index = crate::magic::magic_index(magic, occupied.0);
    // SAFETY: the product is shifted down to as many bits as the mask has, and the
    // offsets leave that much room to each square; `magic::tests` visits every index.
    unsafe { core::hint::assert_unchecked(index < TABLE_SIZE) };
    crate::magic::MAGIC_TABLE[index]
}
