//! What restrains the moves of one side: checks, pins and attacked squares.

use crate::side::Side;
use crate::{
    Bitboard, Board, PieceKind, between, bishop_attacks, king_attacks, knight_attacks,
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
    #[inline]
    pub(crate) fn of<S: Side>(board: &Board) -> Self {
        let them = board.color(S::Them::COLOR);
        let occupied = board.occupied();
        let king = board.king(S::COLOR);
        let diagonal = board.diagonal_sliders(S::Them::COLOR);
        let straight = board.straight_sliders(S::Them::COLOR);
        let diagonal_view = bishop_attacks(king, occupied);
        let straight_view = rook_attacks(king, occupied);
        let leapers = (knight_attacks(king) & board.pieces(PieceKind::Knight))
            | (pawn_attacks(S::COLOR, king) & board.pieces(PieceKind::Pawn));
        let checkers = (leapers & them) | (diagonal_view & diagonal) | (straight_view & straight);

        // Enemies seen through the first own blockers, if those are removed, pin them.
        let mut masks =
            Self { checkers, straight_pins: Bitboard::EMPTY, diagonal_pins: Bitboard::EMPTY };
        let own = board.color(S::COLOR);
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

/// Every square that side `S` attacks when `occupied` squares block lines.
#[inline]
pub(crate) fn attacked_by<S: Side>(board: &Board, occupied: Bitboard) -> Bitboard {
    let mut attacked = pawns_attacks(S::COLOR, board.of(S::COLOR, PieceKind::Pawn))
        | king_attacks(board.king(S::COLOR));
    for knight in board.of(S::COLOR, PieceKind::Knight) {
        attacked |= knight_attacks(knight);
    }
    for slider in board.diagonal_sliders(S::COLOR) {
        attacked |= bishop_attacks(slider, occupied);
    }
    for slider in board.straight_sliders(S::COLOR) {
        attacked |= rook_attacks(slider, occupied);
    }
    attacked
}
