//! Piece-square tables: what a piece is worth, and where each kind likes to stand.
//!
//! Each piece is looked up twice. The first table mirrors the board left to right
//! so that the own king stands on files e to h: "next to my king" and "away from
//! it" then keep their meaning on both wings. The second does the same with the
//! enemy's king, and so learns where pieces attack. For play, both and the material
//! are added up beforehand, one table for each of the four places of the two kings.
//!
//! Nothing here is updated move by move: the kings and pawns are summed when the pawn
//! cache misses, and the other pieces (a dozen, usually) cost one addition each, a
//! twentieth of an evaluation together. `docs/eval.md` has the figures.

use tamarin_movegen::{PerKind, PerSquare, PieceKind, Square};

use crate::side::Side;
use crate::tally::Tally;
use crate::tapered::S;
use crate::terms::material::{self, MATERIAL};
use crate::weights::{Slot, WEIGHTS, slots};

slots! {
    /// Piece-square tables, rank by rank from the own home rank, a-file first.
    PSQT: PsqtSlots after material::RANGE {
        /// `[kind][square]`, the own king on the right half.
        own_king: 6 * 64,
        /// `[kind][square]`, the enemy's king on the right half.
        enemy_king: 6 * 64,
    }
}

/// Counts the knights, bishops, rooks and queens of one side.
#[inline]
pub(crate) fn pieces<T: Tally>(us: &Side, t: &mut T) {
    const KINDS: [PieceKind; 4] =
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    let table = us.table();
    for kind in KINDS {
        for square in us.own[kind] {
            t.place(table, kind, square);
        }
    }
}

/// The weights that count for a piece of `kind` on `square`: its two squares and, the
/// king aside, its material.
pub(crate) const fn slots_of(table: usize, kind: PieceKind, square: Square) -> [Option<Slot>; 3] {
    let row = kind.index() * 64;
    let own = square.index() ^ if table & 1 != 0 { 7 } else { 0 };
    let enemy = square.index() ^ if table & 2 != 0 { 7 } else { 0 };
    let value = match kind {
        PieceKind::King => None,
        _ => Some(MATERIAL.value.at(kind.index())),
    };
    [Some(PSQT.own_king.at(row + own)), Some(PSQT.enemy_king.at(row + enemy)), value]
}

/// The sums of [`slots_of`]: `[table][kind][square]`, see [`crate::side::Side::table`].
pub(crate) static TABLES: [PerKind<PerSquare<S>>; 4] = {
    let mut tables = [PerKind([PerSquare([S::ZERO; 64]); 6]); 4];
    let mut index = 0;
    while index < 4 * 6 * 64 {
        let (table, kind, square) = (index / 384, index / 64 % 6, index % 64);
        let slots = slots_of(table, PieceKind::ALL[kind], Square::ALL[square]);
        let mut sum = S::ZERO;
        let mut next = 0;
        while next < slots.len() {
            if let Some(slot) = slots[next] {
                sum = sum.plus(WEIGHTS[slot.index()]);
            }
            next += 1;
        }
        tables[table].0[kind].0[square] = sum;
        index += 1;
    }
    tables
};
