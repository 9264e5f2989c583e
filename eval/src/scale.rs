//! The scale factor: endgames that are drawish whatever the material says count less.

use tamarin_movegen::{Bitboard, Board, Color, File, PieceKind, Square};

use crate::endgame::piece_material;
use crate::params::scale as params;

/// The endgame score counts in full.
pub(crate) const FULL: i32 = params::FULL;

/// How much of the endgame score counts, 0 to [`FULL`], when `strong` is the side it favors.
pub(crate) fn factor(board: &Board, strong: Color) -> i32 {
    let pawns = board.of(strong, PieceKind::Pawn);
    if pawns.is_empty() {
        return without_pawns(board, strong);
    }
    if is_wrong_rook_pawn(board, strong) {
        return 0;
    }
    let by_pawns = params::by_pawns(pawns.len() as i32);
    if !has_opposite_bishops(board) {
        return by_pawns;
    }
    let pieces = board.occupied() - board.pieces(PieceKind::Pawn) - board.pieces(PieceKind::King);
    if pieces == board.pieces(PieceKind::Bishop) {
        let bonus = params::OPPOSITE_BISHOPS_PER_PAWN * pawns.len() as i32;
        (params::OPPOSITE_BISHOPS + bonus).min(by_pawns)
    } else {
        by_pawns * params::OPPOSITE_BISHOPS_WITH_PIECES / 8
    }
}

/// Returns `true` if each side has one bishop, on squares of different colors.
fn has_opposite_bishops(board: &Board) -> bool {
    let bishops = |color| board.of(color, PieceKind::Bishop);
    let (white, black) = (bishops(Color::White), bishops(Color::Black));
    let is_single = |bishops: Bitboard| bishops.any() && !bishops.several();
    is_single(white)
        && is_single(black)
        && (white & Bitboard::LIGHT).any() != (black & Bitboard::LIGHT).any()
}

/// Without pawns, an advantage of a minor piece or less rarely wins.
fn without_pawns(board: &Board, strong: Color) -> i32 {
    const MINOR: i32 = 3;
    const ROOK: i32 = 5;
    let (ours, theirs) = (piece_material(board, strong), piece_material(board, !strong));
    if ours - theirs > MINOR {
        FULL
    } else if ours < ROOK {
        params::PAWNLESS_DRAW
    } else if theirs <= MINOR {
        params::PAWNLESS_AGAINST_MINOR
    } else {
        params::PAWNLESS
    }
}

/// A draw by the wrong rook pawn: the enemy has only king and pawns; all own pawns stand on one
/// rook file whose promotion square no own bishop controls; no other own piece is left; and
/// the enemy king stands on that square or next to it, so that it can never be driven out.
fn is_wrong_rook_pawn(board: &Board, strong: Color) -> bool {
    let pieces = board.occupied() - board.pieces(PieceKind::Pawn) - board.pieces(PieceKind::King);
    if pieces != board.of(strong, PieceKind::Bishop) {
        return false;
    }
    let pawns = board.of(strong, PieceKind::Pawn);
    let file = if pawns.is_subset(File::A.bitboard()) {
        File::A
    } else if pawns.is_subset(File::H.bitboard()) {
        File::H
    } else {
        return false;
    };
    let corner = Square::from_masked(56 + file.index() as u8).relative_to(strong);
    let color = if Bitboard::LIGHT.has(corner) { Bitboard::LIGHT } else { Bitboard::DARK };
    let right_bishop = (board.of(strong, PieceKind::Bishop) & color).any();
    !right_bishop && board.king(!strong).distance(corner) <= 1
}
