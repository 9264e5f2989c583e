//! Which piece stands where, and what two boards have not in common.

use arrayvec::ArrayVec;
use tamarin_movegen::{Bitboard, Board, Color, PieceKind, Square};

use super::architecture::Orientation;

/// The placement of the pieces of a board.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Placement {
    /// `[kind]`, both colors.
    kinds: [Bitboard; 6],
    black: Bitboard,
}

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Placed {
    color: Color,
    kind: PieceKind,
    square: Square,
}

impl Placed {
    /// The feature it is.
    #[inline]
    pub(super) const fn feature(self, orientation: Orientation) -> usize {
        orientation.feature(self.color, self.kind, self.square)
    }
}

/// Pieces on squares, as many as there can be on a board.
pub(super) type Pieces = ArrayVec<Placed, 32>;

/// What leads from one placement to another.
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

    /// What has to be removed and added to get `self` out of `source`.
    #[inline]
    pub(super) fn changes_from(&self, source: &Self) -> Changes {
        let mut changes = Changes::default();
        let recolored = self.black ^ source.black;
        for kind in PieceKind::ALL {
            let (old, new) = (source.kinds[kind as usize], self.kinds[kind as usize]);
            let removed = old & (!new | recolored);
            let added = new & (!old | recolored);
            if (removed | added).is_empty() {
                continue;
            }
            changes.removed.extend(source.placed(kind, removed));
            changes.added.extend(self.placed(kind, added));
        }
        changes
    }

    /// The pieces of one kind on these squares.
    #[inline]
    fn placed(self, kind: PieceKind, squares: Bitboard) -> impl Iterator<Item = Placed> {
        squares.into_iter().map(move |square| {
            let color = if self.black.has(square) { Color::Black } else { Color::White };
            Placed { color, kind, square }
        })
    }
}
