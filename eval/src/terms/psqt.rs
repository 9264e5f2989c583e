//! Piece-square tables: what a piece is worth by the square it stands on.
//!
//! Each piece is looked up twice. The first table is mirrored left to right so that the own
//! king always stands on files e to h: "next to my king" and "away from it" then keep their
//! meaning on both wings. The second is mirrored by the enemy's king, and so learns where
//! pieces attack. For play, both and the material are added up beforehand, one table for each
//! of the four [`KingHalves`].
//!
//! Nothing here is updated move by move: the kings and pawns are summed when the pawn hash
//! table misses, and the other pieces (a dozen, usually) cost one addition each, a twentieth
//! of an evaluation together. `docs/eval.md` has the figures.

use tamarin_movegen::{PieceKind, Square};

use crate::perspective::{KingHalves, Perspective};
use crate::rows::{WeightIndex, rows};
use crate::sink::TermSink;
use crate::terms::material::MATERIAL;

rows! {
    /// Piece-square tables, rank by rank from the own home rank, a-file first.
    PSQT: PsqtRows of PieceSquares {
        /// `[kind][square]`, the own king on the kingside.
        own_king: 6 * 64,
        /// `[kind][square]`, the enemy's king on the kingside.
        enemy_king: 6 * 64,
    }
}

/// Counts the knights, bishops, rooks and queens of one side; kings and pawns count with the
/// pawn hash table.
#[inline]
pub(crate) fn pieces<T: TermSink>(us: &Perspective, sink: &mut T) {
    const KINDS: [PieceKind; 4] =
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    let halves = us.king_halves();
    for kind in KINDS {
        for square in us.own[kind] {
            sink.add_piece(halves, kind, square);
        }
    }
}

/// The weights that count for a piece of `kind` on `square`: its two piece squares and, the
/// king aside, its material.
pub(crate) const fn weights_of(
    halves: KingHalves,
    kind: PieceKind,
    square: Square,
) -> [Option<WeightIndex>; 3] {
    const fn mirrored(square: Square, on_queenside: bool) -> usize {
        square.index() ^ if on_queenside { 7 } else { 0 }
    }
    let table = kind.index() * 64;
    let own = mirrored(square, halves.own_on_queenside());
    let enemy = mirrored(square, halves.enemy_on_queenside());
    let value = match kind {
        PieceKind::King => None,
        _ => Some(MATERIAL.value.at(kind.index())),
    };
    [Some(PSQT.own_king.at(table + own)), Some(PSQT.enemy_king.at(table + enemy)), value]
}
