//! The only unsafe code of this crate: slider look-ups without a bounds check, and `pext`.

use crate::magic::{BISHOP_ENTRIES, Entry, ROOK_ENTRIES, TABLE_SIZE};
use crate::{Bitboard, Square};

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
    look_up(&BISHOP_ENTRIES[square as usize], occupied)
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
    look_up(&ROOK_ENTRIES[square as usize], occupied)
}

#[cfg(fast_pext)]
#[inline]
fn look_up(entry: &Entry, occupied: Bitboard) -> Bitboard {
    // SAFETY: `fast_pext` is set only for targets whose every processor has BMI2.
    let bits = unsafe { core::arch::x86_64::_pext_u64(occupied.0, entry.mask) };
    let index = entry.offset as usize + bits as usize;
    // SAFETY: `bits` is below 2^(ones in the mask), and the offsets leave that much room
    // to each square; `magic::tests` visits every index.
    unsafe { core::hint::assert_unchecked(index < TABLE_SIZE) };
    crate::magic::PEXT_TABLE[index]
}

#[cfg(not(fast_pext))]
#[inline]
fn look_up(entry: &Entry, occupied: Bitboard) -> Bitboard {
    let index = crate::magic::magic_index(entry, occupied.0);
    // SAFETY: the product is shifted down to as many bits as the mask has, and the
    // offsets leave that much room to each square; `magic::tests` visits every index.
    unsafe { core::hint::assert_unchecked(index < TABLE_SIZE) };
    crate::magic::MAGIC_TABLE[index]
}
