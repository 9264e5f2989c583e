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

/// Counts what is not bound to a single piece: those values are in the piece-square
/// tables, see [`crate::terms::psqt::TABLES`].
pub(crate) fn material<T: Tally>(us: &Side, to_move: bool, t: &mut T) {
    let bishops = us.own[PieceKind::Bishop];
    if (bishops & Bitboard::LIGHT).any() && (bishops & Bitboard::DARK).any() {
        t.add(MATERIAL.bishop_pair, 1);
    }
    if to_move {
        t.add(MATERIAL.tempo, 1);
    }
}
