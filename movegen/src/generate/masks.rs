//! Checkers and pins of one side, and attacked squares.

use crate::{
    Bitboard, Board, Color, PieceKind, Square, between, bishop_attacks, king_attacks,
    knight_attacks, pawn_attacks, pawns_attacks, rook_attacks,
};

/// The checkers of a king and the pin masks of its side.
///
/// A pin mask holds the lines from the king over one own piece to a pinner, the pinner
/// included: the squares to which the pinned pieces may still move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct Masks {
    /// Enemy pieces that give check.
    pub(crate) checkers: Bitboard,
    /// The pin mask of ranks and files.
    pub(crate) orthogonal_pins: Bitboard,
    /// The pin mask of diagonals.
    pub(crate) diagonal_pins: Bitboard,
}

impl Masks {
    #[inline(always)]
    pub(crate) fn of(board: &Board, us: Color) -> Self {
        let them = board.color(!us);
        let occupied = board.occupied();
        let king = board.king(us);
        let diagonal = board.diagonal_sliders(!us);
        let orthogonal = board.orthogonal_sliders(!us);
        let bishop_view = bishop_attacks(king, occupied);
        let rook_view = rook_attacks(king, occupied);
        let leapers = (knight_attacks(king) & board.pieces(PieceKind::Knight))
            | (pawn_attacks(us, king) & board.pieces(PieceKind::Pawn));
        let checkers = (leapers & them) | (bishop_view & diagonal) | (rook_view & orthogonal);

        // X-rays: the sliders that see the king once its own first blockers are removed.
        let mut masks =
            Self { checkers, orthogonal_pins: Bitboard::EMPTY, diagonal_pins: Bitboard::EMPTY };
        let own = board.color(us);
        let x_rays = bishop_attacks(king, occupied - (bishop_view & own)) - bishop_view;
        for pinner in x_rays & diagonal {
            masks.diagonal_pins |= between(king, pinner).with(pinner);
        }
        let x_rays = rook_attacks(king, occupied - (rook_view & own)) - rook_view;
        for pinner in x_rays & orthogonal {
            masks.orthogonal_pins |= between(king, pinner).with(pinner);
        }
        masks
    }

    /// Both pin masks.
    pub(crate) fn pins(&self) -> Bitboard {
        self.orthogonal_pins | self.diagonal_pins
    }

    /// The check mask: where a piece other than the king has to land. All squares without a
    /// check; the checker and the squares between it and the king in check; no square in
    /// double check, which only the king can evade.
    #[inline(always)]
    pub(crate) fn check_mask(&self, king: Square) -> Bitboard {
        match self.checkers.first() {
            None => Bitboard::ALL,
            Some(_) if self.checkers.several() => Bitboard::EMPTY,
            Some(checker) => between(king, checker) | self.checkers,
        }
    }
}

/// Every square that `side` attacks, sliders seeing up to the first of the `occupied` squares.
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
    for slider in board.orthogonal_sliders(side) {
        attacked |= rook_attacks(slider, occupied);
    }
    attacked
}
