//! The moves of a piece that is pinned before a move or after it.

use super::mobility::{pawn_moves, pushes};
use crate::side_to_move::SideToMove;
use crate::{Bitboard, Board, Piece, PieceKind, Square, line, pawn_attacks, piece_attacks};

/// The squares that the moves of a piece depend on.
pub(super) struct Placement {
    pub(super) occupied: Bitboard,
    pub(super) own: Bitboard,
    pub(super) enemies: Bitboard,
}

impl Placement {
    /// The moves of the piece on `square`, pinned or not.
    pub(super) fn moves<Us: SideToMove>(
        &self,
        board: &Board,
        square: Square,
        is_pinned: bool,
    ) -> i64 {
        let mask = if is_pinned { line(board.king(Us::COLOR), square) } else { Bitboard::ALL };
        if board.pieces(PieceKind::Pawn).has(square) {
            let (single, double) = pushes::<Us>(square.bitboard(), !self.occupied);
            let captures = pawn_attacks(Us::COLOR, square) & self.enemies & mask;
            return pawn_moves::<Us>(single & mask)
                + i64::from((double & mask).len())
                + pawn_moves::<Us>(captures);
        }
        let kind = board.piece_at(square).map_or(PieceKind::Knight, Piece::kind);
        i64::from((piece_attacks(kind, square, self.occupied) & (mask - self.own)).len())
    }
}

/// What a move of `Us` that pins an enemy piece or frees it gives to that piece and takes from it,
/// beside what `Mobility::after` counts.
pub(super) fn change_of_pin<Us: SideToMove>(
    board: &Board,
    (from, to): (Square, Square),
    pinned: Square,
    (is_pinned, stays_pinned): (bool, bool),
) -> i64 {
    let occupied = board.occupied().without(from).with(to);
    let (own, enemies) = (board.color(Us::Them::COLOR), board.color(Us::COLOR));
    // `Mobility::after` counts the pushes of a pinned pawn, too.
    let is_pawn = board.pieces(PieceKind::Pawn).has(pinned);
    let before = if is_pawn { occupied } else { board.occupied() };
    let before = Placement { occupied: before, own, enemies };
    let (own, enemies) = (own.without(to), enemies.without(from).with(to));
    let after = Placement { occupied, own, enemies };
    let counted = if is_pinned { &before } else { &after };
    after.moves::<Us::Them>(board, pinned, stays_pinned)
        - counted.moves::<Us::Them>(board, pinned, is_pinned)
}
