//! Castling: the two sides of the board, where king and rook land, which rights a move loses.

use crate::{Bitboard, Color, File, PieceKind, Rank, Square};

/// The side of the board to castle on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CastlingSide {
    /// `O-O`: the rook stands on a higher file than the king.
    King,
    /// `O-O-O`: the rook stands on a lower file than the king.
    Queen,
}

impl CastlingSide {
    /// The side on which a king and a rook of one rank castle.
    pub(crate) const fn of(king: Square, rook: Square) -> Self {
        if rook as u8 > king as u8 { Self::King } else { Self::Queen }
    }

    /// The file where the king lands.
    #[inline]
    pub(crate) const fn king_file(self) -> File {
        match self {
            Self::King => File::G,
            Self::Queen => File::C,
        }
    }

    /// The file where the rook lands.
    #[inline]
    const fn rook_file(self) -> File {
        match self {
            Self::King => File::F,
            Self::Queen => File::D,
        }
    }
}

/// Where king and rook land that castle from these squares of a rank.
#[inline]
pub const fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let side = CastlingSide::of(king, rook);
    let rank = king.rank();
    (Square::new(side.king_file(), rank), Square::new(side.rook_file(), rank))
}

/// The squares whose rooks lose the right to castle when `us` moves a piece: a rook that moves
/// or is captured, and both rooks of a king that moves.
#[inline]
pub(crate) fn lost_castling_rights(
    us: Color,
    kind: PieceKind,
    from: Square,
    to: Square,
) -> Bitboard {
    match kind {
        PieceKind::King => home_rank(us) | to.bitboard(),
        PieceKind::Rook => from.bitboard() | to.bitboard(),
        _ => to.bitboard(),
    }
}

/// The rank where a side's king and rooks start.
pub(crate) const fn home_rank(us: Color) -> Bitboard {
    Rank::First.relative_to(us).bitboard()
}
