//! Piece-square tables: what a piece is worth by the square it stands on.
//!
//! Each piece is looked up twice. The first table is mirrored left to right so that the own
//! king always stands on files e to h: "next to my king" and "away from it" then keep their
//! meaning on both wings. The second is mirrored by the enemy's king, and so learns where
//! pieces attack. Both are chosen by the region of that king ([`KingArea`]): pieces belong
//! elsewhere when it is castled, still in the center, or has left its camp. For play the
//! material is added to the first beforehand.
//!
//! Nothing here is updated move by move: the kings and pawns are summed when the pawn hash
//! table misses, and the other pieces (a dozen, usually) cost two additions each, a twentieth
//! of an evaluation together. `docs/results/terms.md` has the figures.
//!
//! Source: tables by the squares of both kings are Akimbo's (commits 9f3dab0, 1672c5b).

use tamarin_movegen::{PieceKind, Square};

use crate::perspective::{KingArea, KingAreas, Perspective};
use crate::rows::{WeightIndex, rows};
use crate::sink::TermSink;
use crate::terms::material::MATERIAL;

rows! {
    /// Piece-square tables, rank by rank from the own home rank, a-file first.
    PSQT: PsqtRows of PieceSquares {
        /// `[region of the own king][kind][square]`, the own king on the kingside.
        own_king: KingArea::REGIONS * TABLE,
        /// `[region of the enemy's king][kind][square]`, the enemy's king on the kingside.
        enemy_king: KingArea::REGIONS * TABLE,
    }
}

/// The weights of a region: `[kind][square]`.
pub(crate) const TABLE: usize = 6 * 64;

/// Counts the knights, bishops, rooks and queens of one side; kings and pawns count with the
/// pawn hash table.
#[inline]
pub(crate) fn pieces<T: TermSink>(us: &Perspective, sink: &mut T) {
    const KINDS: [PieceKind; 4] =
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    let areas = us.king_areas();
    for kind in KINDS {
        for square in us.own[kind] {
            sink.add_piece(areas, kind, square);
        }
    }
}

/// The weights that count for a piece of `kind` on `square`: its two piece squares and, the
/// king aside, its material.
pub(crate) const fn weights_of(
    areas: KingAreas,
    kind: PieceKind,
    square: Square,
) -> [Option<WeightIndex>; 3] {
    let own = PSQT.own_king.at(index(areas.own, kind, square));
    let enemy = PSQT.enemy_king.at(index(areas.enemy, kind, square));
    [Some(own), Some(enemy), value(kind)]
}

/// The index in the row of tables for a king in `area`.
pub(crate) const fn index(area: KingArea, kind: PieceKind, square: Square) -> usize {
    let mirror = if area.on_queenside() { 7 } else { 0 };
    area.region() * TABLE + kind.index() * 64 + (square.index() ^ mirror)
}

/// The material of a piece, the king aside.
pub(crate) const fn value(kind: PieceKind) -> Option<WeightIndex> {
    match kind {
        PieceKind::King => None,
        _ => Some(MATERIAL.value.at(kind.index())),
    }
}
