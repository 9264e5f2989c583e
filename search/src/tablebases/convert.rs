//! Positions as the tablebase library knows them.

use core::num::NonZeroU32;

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, Color, PositionError, Setup, Square,
};
use tamarin_movegen::{PieceKind, Position};

/// The position for a probe: without castling rights, which no table knows. `None` if the
/// library takes it for impossible.
///
/// Both number the squares a1, b1 to h8.
pub(super) fn to_chess(position: &Position) -> Option<Chess> {
    use tamarin_movegen::Color::{Black, White};
    let kind = |kind: PieceKind| Bitboard(position.pieces(kind).0);
    let roles = ByRole {
        pawn: kind(PieceKind::Pawn),
        knight: kind(PieceKind::Knight),
        bishop: kind(PieceKind::Bishop),
        rook: kind(PieceKind::Rook),
        queen: kind(PieceKind::Queen),
        king: kind(PieceKind::King),
    };
    let colors = ByColor {
        black: Bitboard(position.color(Black).0),
        white: Bitboard(position.color(White).0),
    };
    let setup = Setup {
        board: Board::try_from_bitboards(roles, colors).ok()?,
        promoted: Bitboard::EMPTY,
        pockets: None,
        turn: Color::from_white(position.side_to_move() == White),
        castling_rights: Bitboard::EMPTY,
        ep_square: position.en_passant().map(|square| Square::new(square.index() as u32)),
        remaining_checks: None,
        halfmoves: u32::from(position.halfmove_clock()),
        fullmoves: NonZeroU32::MIN,
    };
    // The library doubts some positions of problems, which have a value all the same.
    setup
        .position::<Chess>(CastlingMode::Chess960)
        .or_else(PositionError::ignore_invalid_ep_square)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_too_much_material)
        .ok()
}
