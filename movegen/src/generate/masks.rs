//! What restrains the moves of one side: checks, pins and attacked squares.

use crate::{
    Bitboard, Board, Color, PieceKind, between, bishop_attacks, king_attacks, knight_attacks,
    pawn_attacks, pawns_attacks, rook_attacks,
};

/// Checkers of a side's king and the lines its pieces are pinned on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Masks {
    /// Enemies that give check.
    pub(crate) checkers: Bitboard,
    /// Ranks and files from the king over one own piece to a pinner, pinner included.
    pub(crate) straight_pins: Bitboard,
    /// The same for diagonals.
    pub(crate) diagonal_pins: Bitboard,
}

impl Masks {
    #[inline(always)]
    pub(crate) fn of(board: &Board, us: Color) -> Self {
        let them = board.color(!us);
        let occupied = board.occupied();
        let king = board.king(us);
        let diagonal = board.diagonal_sliders(!us);
        let straight = board.straight_sliders(!us);
        let diagonal_view = bishop_attacks(king, occupied);
        let straight_view = rook_attacks(king, occupied);
        let leapers = (knight_attacks(king) & board.pieces(PieceKind::Knight))
            | (pawn_attacks(us, king) & board.pieces(PieceKind::Pawn));
        let checkers = (leapers & them) | (diagonal_view & diagonal) | (straight_view & straight);

        // Enemies seen through the first own blockers, if those are removed, pin them.
        let mut masks =
            Self { checkers, straight_pins: Bitboard::EMPTY, diagonal_pins: Bitboard::EMPTY };
        let own = board.color(us);
        let through = bishop_attacks(king, occupied - (diagonal_view & own)) - diagonal_view;
        for pinner in through & diagonal {
            masks.diagonal_pins |= between(king, pinner).with(pinner);
        }
        let through = rook_attacks(king, occupied - (straight_view & own)) - straight_view;
        for pinner in through & straight {
            masks.straight_pins |= between(king, pinner).with(pinner);
        }
        masks
    }

    /// All lines of pins, pinners included.
    #[inline]
    pub(crate) fn pins(&self) -> Bitboard {
        self.straight_pins | self.diagonal_pins
    }
}

/// Every square that `side` attacks when `occupied` squares block lines.
#[inline]
pub(crate) fn attacked_by(board: &Board, side: Color, occupied: Bitboard) -> Bitboard {
    let mut attacked =
        pawns_attacks(side, board.of(side, PieceKind::Pawn)) | king_attacks(board.king(side));
    for knight in board.of(side, PieceKind::Knight) {
        attacked |= knight_attacks(knight);
    }
    for slider in board.diagonal_sliders(side) {
        attacked |= bishop_attacks(slider, occupied);
    }
    for slider in board.straight_sliders(side) {
        attacked |= rook_attacks(slider, occupied);
    }
    attacked
}
