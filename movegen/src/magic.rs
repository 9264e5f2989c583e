//! Attacks of sliding pieces by table look-up.
//!
//! All squares of bishops and rooks share one table of 107,648 entries. The occupancy of a
//! square's *relevant blockers* (the squares of its lines, without the last one of each) is
//! turned into an index in one of two ways, chosen when the crate is compiled:
//!
//! - magic multiplication, everywhere
//!   (source: <https://www.chessprogramming.org/Magic_Bitboards>);
//! - `pext`, where the target has BMI2 and does it fast (see `build.rs`).

// The table has a hundred thousand entries: a second or so of the compiler's time.
#![allow(long_running_const_eval)]

use crate::magic_factors::{BISHOP_FACTORS, ROOK_FACTORS};
use crate::{Bitboard, Square};

/// The two kinds of sliders; a queen moves as both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Slider {
    /// Moves along diagonals.
    Bishop,
    /// Moves along ranks and files.
    Rook,
}

/// The magic of one square: how the relevant blockers become an index into the table.
#[derive(Clone, Copy)]
pub(crate) struct Magic {
    /// The relevant blockers.
    pub(crate) mask: u64,
    /// The magic number.
    pub(crate) factor: u64,
    /// Index of the square's first attack set in the table.
    pub(crate) offset: u32,
    /// 64 less the number of relevant blockers.
    pub(crate) shift: u32,
}

/// Sum of 2^(relevant blockers) over all squares and both sliders.
pub(crate) const TABLE_SIZE: usize = 107_648;

pub(crate) static BISHOP_MAGICS: [Magic; 64] = magics(Slider::Bishop, &BISHOP_FACTORS, 0);
pub(crate) static ROOK_MAGICS: [Magic; 64] = magics(Slider::Rook, &ROOK_FACTORS, BISHOP_SIZE);

/// The bishops' share of the table, which comes first.
const BISHOP_SIZE: u32 = 5_248;

/// The attack table in the order of the magic index.
#[cfg(any(not(fast_pext), test))]
pub(crate) static MAGIC_TABLE: [Bitboard; TABLE_SIZE] = table(Indexing::Magic);

/// The attack table in the order of the `pext` index.
#[cfg(any(fast_pext, test))]
pub(crate) static PEXT_TABLE: [Bitboard; TABLE_SIZE] = table(Indexing::Pext);

#[derive(Clone, Copy)]
#[allow(dead_code)] // each target uses one of them; tests use both
enum Indexing {
    Magic,
    Pext,
}

const fn lines(slider: Slider, square: Square) -> [u64; 2] {
    let file = square as u8 & 7;
    let rank = square as u8 >> 3;
    match slider {
        Slider::Rook => [0xFF << (8 * rank), 0x0101_0101_0101_0101 << file],
        Slider::Bishop => [
            shift_ranks(0x8040_2010_0804_0201, rank as i32 - file as i32),
            shift_ranks(0x0102_0408_1020_4080, rank as i32 + file as i32 - 7),
        ],
    }
}

const fn shift_ranks(board: u64, ranks: i32) -> u64 {
    if ranks >= 0 { board << (8 * ranks) } else { board >> (-8 * ranks) }
}

/// Attacks along one line by o^(o-2r): upwards, and downwards on reversed bits.
/// Source: <https://www.chessprogramming.org/Hyperbola_Quintessence>
const fn line_attacks(line: u64, square: Square, blockers: u64) -> u64 {
    let slider = 1u64 << square as u8;
    let blockers = blockers & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line & !slider
}

/// Attacks of a slider without tables: the tables are filled with these.
pub const fn slow_attacks(slider: Slider, square: Square, blockers: u64) -> u64 {
    let lines = lines(slider, square);
    let blockers = blockers & !(1 << square as u8);
    line_attacks(lines[0], square, blockers) | line_attacks(lines[1], square, blockers)
}

/// The squares whose occupation changes what a slider attacks from `square`.
pub const fn blockers_mask(slider: Slider, square: Square) -> Bitboard {
    let file = square as u8 & 7;
    let rank = square as u8 >> 3;
    let mut edges = 0u64;
    if file != 0 {
        edges |= 0x0101_0101_0101_0101;
    }
    if file != 7 {
        edges |= 0x8080_8080_8080_8080;
    }
    if rank != 0 {
        edges |= 0xFF;
    }
    if rank != 7 {
        edges |= 0xFF << 56;
    }
    Bitboard(slow_attacks(slider, square, 0) & !edges)
}

/// The committed magic factor of a square.
pub const fn factor(slider: Slider, square: Square) -> u64 {
    match slider {
        Slider::Bishop => BISHOP_FACTORS[square as usize],
        Slider::Rook => ROOK_FACTORS[square as usize],
    }
}

const fn magics(slider: Slider, factors: &[u64; 64], first: u32) -> [Magic; 64] {
    let mut magics = [Magic { mask: 0, factor: 0, offset: 0, shift: 0 }; 64];
    let mut offset = first;
    let mut index = 0;
    while index < 64 {
        let mask = blockers_mask(slider, Square::ALL[index]).0;
        let bits = mask.count_ones();
        magics[index] = Magic { mask, factor: factors[index], offset, shift: 64 - bits };
        offset += 1 << bits;
        index += 1;
    }
    magics
}

const fn table(indexing: Indexing) -> [Bitboard; TABLE_SIZE] {
    let mut table = [Bitboard::EMPTY; TABLE_SIZE];
    let bishops = magics(Slider::Bishop, &BISHOP_FACTORS, 0);
    let rooks = magics(Slider::Rook, &ROOK_FACTORS, BISHOP_SIZE);
    let mut index = 0;
    while index < 64 {
        fill(&mut table, Slider::Bishop, Square::ALL[index], &bishops[index], indexing);
        fill(&mut table, Slider::Rook, Square::ALL[index], &rooks[index], indexing);
        index += 1;
    }
    table
}

/// All subsets of the relevant blockers on one line: the attacks along the line, and the
/// line's part of the two indices (a whole index is the sum over both lines).
struct LineSubsets {
    count: usize,
    attacks: [u64; 64],
    product: [u64; 64],
    pext: [usize; 64],
}

const fn line_subsets(line: u64, square: Square, magic: &Magic) -> LineSubsets {
    let mut subsets = LineSubsets { count: 0, attacks: [0; 64], product: [0; 64], pext: [0; 64] };
    let relevant = line & magic.mask;
    let mut blockers = 0u64;
    loop {
        let n = subsets.count;
        subsets.attacks[n] = line_attacks(line, square, blockers);
        subsets.product[n] = blockers.wrapping_mul(magic.factor);
        subsets.pext[n] = slow_pext(blockers, magic.mask);
        subsets.count += 1;
        blockers = blockers.wrapping_sub(relevant) & relevant;
        if blockers == 0 {
            return subsets;
        }
    }
}

/// The bits of `value` at the places of `mask`, packed together.
const fn slow_pext(value: u64, mut mask: u64) -> usize {
    let mut result = 0;
    let mut bit = 0;
    while mask != 0 {
        if value >> mask.trailing_zeros() & 1 != 0 {
            result |= 1 << bit;
        }
        mask &= mask - 1;
        bit += 1;
    }
    result
}

/// Fills one square's part of the table from the subsets of its two lines, which takes the
/// compiler less time than computing the attacks for each set of blockers.
const fn fill(
    table: &mut [Bitboard; TABLE_SIZE],
    slider: Slider,
    square: Square,
    magic: &Magic,
    indexing: Indexing,
) {
    let lines = lines(slider, square);
    let first = line_subsets(lines[0], square, magic);
    let second = line_subsets(lines[1], square, magic);
    let offset = magic.offset as usize;
    let mut i = 0;
    while i < first.count {
        let (attacks, product, pext) = (first.attacks[i], first.product[i], first.pext[i]);
        let mut j = 0;
        while j < second.count {
            let index = match indexing {
                Indexing::Magic => {
                    (product.wrapping_add(second.product[j]) >> magic.shift) as usize
                }
                Indexing::Pext => pext + second.pext[j],
            };
            table[offset + index] = Bitboard(attacks | second.attacks[j]);
            j += 1;
        }
        i += 1;
    }
}

/// Index into [`MAGIC_TABLE`] of a square's attacks.
#[cfg(any(not(fast_pext), test))]
#[inline]
pub(crate) const fn magic_index(magic: &Magic, occupied: u64) -> usize {
    let product = (occupied & magic.mask).wrapping_mul(magic.factor);
    magic.offset as usize + (product >> magic.shift) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(slider: Slider) -> [(i8, i8); 4] {
        match slider {
            Slider::Bishop => [(1, 1), (1, -1), (-1, 1), (-1, -1)],
            Slider::Rook => [(1, 0), (-1, 0), (0, 1), (0, -1)],
        }
    }

    /// Walks each line until it meets a blocker.
    fn walked_attacks(slider: Slider, square: Square, blockers: u64) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (files, ranks) in steps(slider) {
            let mut at = square;
            while let Some(next) = at.offset(files, ranks) {
                attacks = attacks.with(next);
                if Bitboard(blockers).has(next) {
                    break;
                }
                at = next;
            }
        }
        attacks
    }

    /// Both index schemes agree with walking the lines, for every square and every
    /// set of relevant blockers, also when irrelevant squares are occupied.
    #[test]
    fn every_square_and_occupancy() {
        let mut seen = 0;
        for (slider, magics) in [(Slider::Bishop, &BISHOP_MAGICS), (Slider::Rook, &ROOK_MAGICS)] {
            for square in Square::ALL {
                let magic = &magics[square.index()];
                let mut blockers = 0u64;
                loop {
                    let expected = walked_attacks(slider, square, blockers);
                    assert_eq!(Bitboard(slow_attacks(slider, square, blockers)), expected);
                    for occupied in [blockers, blockers | !(magic.mask | expected.0)] {
                        assert_eq!(MAGIC_TABLE[magic_index(magic, occupied)], expected);
                        let pext = slow_pext(occupied, magic.mask);
                        assert_eq!(PEXT_TABLE[magic.offset as usize + pext], expected);
                        let public = match slider {
                            Slider::Bishop => crate::bishop_attacks(square, Bitboard(occupied)),
                            Slider::Rook => crate::rook_attacks(square, Bitboard(occupied)),
                        };
                        assert_eq!(public, expected);
                    }
                    seen += 1;
                    blockers = blockers.wrapping_sub(magic.mask) & magic.mask;
                    if blockers == 0 {
                        break;
                    }
                }
            }
        }
        assert_eq!(seen, TABLE_SIZE);
    }
}
