//! The placement of the pieces, and the difference of two placements.

use arrayvec::ArrayVec;
use tamarin_movegen::{Bitboard, Board, Color, PieceKind};

use super::architecture::Orientation;

/// The placement of the pieces of a board.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Placement {
    /// `[kind]`, both colors.
    kinds: [Bitboard; 6],
    black: Bitboard,
}

/// Features as White sees them on a board that is not mirrored, as many as there are pieces.
pub(super) type Pieces = ArrayVec<u16, 32>;

/// The pieces to remove from one placement, and to add, to get another.
#[derive(Default, Debug)]
pub(super) struct Changes {
    pub(super) removed: Pieces,
    pub(super) added: Pieces,
}

impl From<&Board> for Placement {
    #[inline]
    fn from(board: &Board) -> Self {
        Self {
            kinds: PieceKind::ALL.map(|kind| board.pieces(kind)),
            black: board.color(Color::Black),
        }
    }
}

impl Placement {
    /// On how many squares two placements are different.
    #[inline]
    pub(super) fn distance(&self, other: &Self) -> u32 {
        let mut changed = self.black ^ other.black;
        for (ours, theirs) in self.kinds.iter().zip(&other.kinds) {
            changed |= *ours ^ *theirs;
        }
        changed.len()
    }

    /// What has to be removed from `source` and added to it to get this placement.
    pub(super) fn changes_from(&self, source: &Self, changes: &mut Changes) {
        changes.removed.clear();
        changes.added.clear();
        let recolored = self.black ^ source.black;
        for kind in PieceKind::ALL {
            let (old, new) = (source.kinds[kind as usize], self.kinds[kind as usize]);
            let (removed, added) = (old & (!new | recolored), new & (!old | recolored));
            source.list(kind, removed, &mut changes.removed);
            self.list(kind, added, &mut changes.added);
        }
    }

    /// Lists the pieces of one kind on these squares.
    #[inline]
    fn list(&self, kind: PieceKind, squares: Bitboard, pieces: &mut Pieces) {
        for square in squares {
            let color = if self.black.has(square) { Color::Black } else { Color::White };
            pieces.push(Orientation::WHITE.feature(color, kind, square) as u16);
        }
    }
}
