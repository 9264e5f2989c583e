//! Attacks of pieces that do not slide, and the lines between squares.

use crate::magic::{Slider, slow_attacks};
use crate::{Bitboard, Color, PieceKind, Square, bishop_attacks, rook_attacks};

const fn leaps(square: Square, steps: &[(i8, i8)]) -> Bitboard {
    let mut attacks = Bitboard::EMPTY;
    let mut index = 0;
    while index < steps.len() {
        if let Some(target) = square.offset(steps[index].0, steps[index].1) {
            attacks = attacks.with(target);
        }
        index += 1;
    }
    attacks
}

const fn leap_table(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        table[index] = leaps(Square::ALL[index], steps);
        index += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] =
    leap_table(&[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)]);
static KING: [Bitboard; 64] =
    leap_table(&[(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)]);
/// `[color][square]`
static PAWN: [[Bitboard; 64]; 2] =
    [leap_table(&[(-1, 1), (1, 1)]), leap_table(&[(-1, -1), (1, -1)])];

static BETWEEN: [[Bitboard; 64]; 64] = segments(Segment::Between);
static LINE: [[Bitboard; 64]; 64] = segments(Segment::Line);
static BEYOND: [[Bitboard; 64]; 64] = segments(Segment::Beyond);

#[derive(Clone, Copy)]
enum Segment {
    Between,
    Line,
    Beyond,
}

const fn segments(which: Segment) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            table[a][b] = segment(which, Square::ALL[a], Square::ALL[b]);
            b += 1;
        }
        a += 1;
    }
    table
}

const fn segment(which: Segment, a: Square, b: Square) -> Bitboard {
    let ends = a.bitboard().0 | b.bitboard().0;
    let mut index = 0;
    while index < 2 {
        let slider = if index == 0 { Slider::Bishop } else { Slider::Rook };
        if slow_attacks(slider, a, 0) & b.bitboard().0 != 0 {
            return Bitboard(match which {
                Segment::Between => slow_attacks(slider, a, ends) & slow_attacks(slider, b, ends),
                Segment::Line => slow_attacks(slider, a, 0) & slow_attacks(slider, b, 0) | ends,
                Segment::Beyond => slow_attacks(slider, a, 0) & !slow_attacks(slider, a, ends),
            });
        }
        index += 1;
    }
    Bitboard::EMPTY
}

/// Squares a knight on `square` attacks.
pub fn knight_attacks(square: Square) -> Bitboard {
    KNIGHT[square as usize]
}

/// Squares a king on `square` attacks (castling is no attack).
pub fn king_attacks(square: Square) -> Bitboard {
    KING[square as usize]
}

/// Squares a pawn of `color` on `square` attacks.
pub fn pawn_attacks(color: Color, square: Square) -> Bitboard {
    PAWN[color as usize][square as usize]
}

/// Squares a queen on `square` attacks, up to and including the first blockers.
pub fn queen_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    bishop_attacks(square, occupied) | rook_attacks(square, occupied)
}

/// Squares a piece that is not a pawn attacks; empty for [`PieceKind::Pawn`], whose
/// attacks depend on its color ([`pawn_attacks`]).
#[inline]
pub fn piece_attacks(kind: PieceKind, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Pawn => Bitboard::EMPTY,
        PieceKind::Knight => knight_attacks(square),
        PieceKind::Bishop => bishop_attacks(square, occupied),
        PieceKind::Rook => rook_attacks(square, occupied),
        PieceKind::Queen => queen_attacks(square, occupied),
        PieceKind::King => king_attacks(square),
    }
}

/// The squares strictly between two squares of one rank, file or diagonal; empty otherwise.
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a as usize][b as usize]
}

/// The whole rank, file or diagonal through two squares, both included; empty if there
/// is no such line or the squares are the same.
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a as usize][b as usize]
}

/// The squares behind `b` as seen from `a` on one rank, file or diagonal; empty otherwise.
pub(crate) fn beyond(a: Square, b: Square) -> Bitboard {
    BEYOND[a as usize][b as usize]
}

/// The slider blockers of a square: pieces of either color that alone stand between it and one
/// of the sliders. Own blockers of the own king are pinned; own blockers of the enemy king give
/// a discovered check by leaving the line.
#[inline]
pub fn slider_blockers(
    square: Square,
    diagonal_sliders: Bitboard,
    orthogonal_sliders: Bitboard,
    occupied: Bitboard,
) -> Bitboard {
    let snipers = (bishop_attacks(square, Bitboard::EMPTY) & diagonal_sliders)
        | (rook_attacks(square, Bitboard::EMPTY) & orthogonal_sliders);
    let mut blockers = Bitboard::EMPTY;
    for sniper in snipers {
        let pieces_between = between(square, sniper) & occupied;
        if !pieces_between.several() {
            blockers |= pieces_between;
        }
    }
    blockers
}

/// Squares attacked by a set of pawns of `color`.
#[inline]
pub fn pawns_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.forward(color);
    ahead.east() | ahead.west()
}
