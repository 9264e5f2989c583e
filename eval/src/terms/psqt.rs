//! Piece-square tables: where each kind of piece likes to stand.
//!
//! Each piece is looked up twice. The first table mirrors the board left to right
//! so that the own king stands on files e to h: "next to my king" and "away from
//! it" then keep their meaning on both wings. The second does the same with the
//! enemy's king, and so learns where pieces attack.
//!
//! Nothing here is updated move by move. The kings and pawns are summed when the
//! pawn cache misses, and the other pieces (at most a dozen, usually) ride along in
//! the mobility loop, which has their squares in hand anyway.

use tamarin_movegen::{PieceKind, Square};

use crate::side::Side;
use crate::tally::Tally;
use crate::terms::material;
use crate::weights::slots;

slots! {
    /// Piece-square tables, rank by rank from the own home rank, a-file first.
    PSQT: PsqtSlots after material::RANGE {
        /// `[kind][square]`, the own king on the right half.
        own_king: 6 * 64,
        /// `[kind][square]`, the enemy's king on the right half.
        enemy_king: 6 * 64,
    }
}

/// Counts the piece of `kind` on `square`.
#[inline(always)]
pub(crate) fn place<T: Tally>(us: &Side, kind: PieceKind, square: Square, t: &mut T) {
    let row = kind.index() * 64;
    t.add(PSQT.own_king.at(row + (square.index() ^ us.own_mirror())), 1);
    t.add(PSQT.enemy_king.at(row + (square.index() ^ us.enemy_mirror())), 1);
}
