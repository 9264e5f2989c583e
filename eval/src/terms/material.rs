//! What the pieces are worth by themselves, and having the move.

use tamarin_movegen::{Bitboard, PieceKind};

use crate::side::Side;
use crate::tally::Tally;
use crate::weights::{START, slots};

slots! {
    /// Material and tempo.
    MATERIAL: MaterialSlots after START {
        /// Pawn, knight, bishop, rook, queen.
        value: 5,
        /// Bishops on both colors of squares.
        bishop_pair: 1,
        /// Having the move.
        tempo: 1,
    }
}

/// Counts the pieces of one side.
pub(crate) fn material<T: Tally>(us: &Side, t: &mut T) {
    const VALUED: [PieceKind; 5] =
        [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    for kind in VALUED {
        t.add(MATERIAL.value.at(kind.index()), us.own[kind].len() as i32);
    }
    let bishops = us.own[PieceKind::Bishop];
    if (bishops & Bitboard::LIGHT).any() && (bishops & Bitboard::DARK).any() {
        t.add(MATERIAL.bishop_pair, 1);
    }
}
