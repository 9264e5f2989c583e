//! Material, the bishop pair and the tempo.

use tamarin_movegen::{Bitboard, PieceKind};

use crate::perspective::Perspective;
use crate::rows::rows;
use crate::sink::TermSink;

rows! {
    /// Material and tempo.
    MATERIAL: MaterialRows of Material {
        /// Pawn, knight, bishop, rook, queen.
        value: 5,
        /// Bishops on both colors of squares.
        bishop_pair: 1,
        /// Having the move (tempo).
        tempo: 1,
    }
}

/// Counts the bishop pair and the tempo. The values of the pieces count with their squares,
/// see [`crate::terms::psqt`].
pub(crate) fn material<T: TermSink>(us: &Perspective, sink: &mut T) {
    if has_bishop_pair(us) {
        sink.add(MATERIAL.bishop_pair, 1);
    }
    if us.to_move {
        sink.add(MATERIAL.tempo, 1);
    }
}

/// Returns `true` if the side has bishops on both colors of squares.
#[inline]
pub(crate) fn has_bishop_pair(us: &Perspective) -> bool {
    let bishops = us.own[PieceKind::Bishop];
    (bishops & Bitboard::LIGHT).any() && (bishops & Bitboard::DARK).any()
}
