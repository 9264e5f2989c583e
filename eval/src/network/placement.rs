//! The placement of the pieces, and the difference of two placements.

use arrayvec::ArrayVec;
use tamarin_movegen::{Bitboard, Board, Color, PieceKind, Square};

/// The placement of the pieces of a board.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Placement {
    /// The three bits of a square's piece: 0 without one, 1 for a pawn to 6 for a king.
    kinds: [Bitboard; 3],
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
        let [pawns, knights, bishops, rooks, queens, kings] =
            PieceKind::ALL.map(|kind| board.pieces(kind));
        let kinds = [pawns | bishops | queens, knights | bishops | kings, rooks | queens | kings];
        Self { kinds, black: board.color(Color::Black) }
    }
}

impl Placement {
    /// The squares on which two placements are different.
    #[inline]
    pub(super) fn difference(&self, other: &Self) -> Bitboard {
        let mut changed = self.black ^ other.black;
        for (ours, theirs) in self.kinds.iter().zip(&other.kinds) {
            changed |= *ours ^ *theirs;
        }
        changed
    }

    /// What has to be removed from `source` and added to it to get this placement.
    pub(super) fn changes_from(&self, source: &Self, changes: &mut Changes) {
        changes.removed.clear();
        changes.added.clear();
        for square in self.difference(source) {
            source.list(square, &mut changes.removed);
            self.list(square, &mut changes.added);
        }
    }

    /// Lists the piece on a square.
    #[inline]
    fn list(&self, square: Square, pieces: &mut Pieces) {
        let bit = |set: Bitboard| usize::from(set.has(square));
        let [low, middle, high] = self.kinds.map(bit);
        let kind = low | middle << 1 | high << 2;
        if kind > 0 {
            // `Orientation::feature` for White, on a board that is not mirrored.
            pieces.push(((bit(self.black) * 6 + kind - 1) * 64 + square.index()) as u16);
        }
    }
}
