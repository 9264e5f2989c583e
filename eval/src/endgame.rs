//! Endgames against a bare king: won, drawn, or king and pawn against king.
//!
//! A win scores more the closer it is to mate, so that the search finds its way there.

use tamarin_base::Score;
use tamarin_movegen::{Bitboard, Board, Color, PieceKind, Square, king_attacks};

use crate::kpk;
use crate::params::known_endgame::{
    KING_AND_PAWN, PER_PAWN, PER_PAWN_RANK, PER_STEP_CLOSER, PER_STEP_TO_CORNER, PER_STEP_TO_EDGE,
};

/// What a known win scores at least, but for king and pawn.
const KNOWN_WIN: i32 = Score::KNOWN_WIN.units();

/// The score of a position with a known result for the side to move, if it has one: a bare
/// king, not in check, against enough to mate, against a lone pawn, or against pieces that cannot
/// win.
#[inline]
pub(crate) fn known(board: &Board) -> Option<Score> {
    let weak = Color::ALL.into_iter().find(|&color| !board.color(color).several())?;
    let score = against_bare_king(board, !weak)?;
    Some(if board.side_to_move() != weak {
        score
    } else if bare_king_draws(board, weak) {
        Score::DRAW
    } else {
        -score
    })
}

/// The material of one side without its pawns, in pawns: the conventional 3, 3, 5 and 9.
pub(crate) fn piece_material(board: &Board, color: Color) -> i32 {
    let count = |kind| board.of(color, kind).len() as i32;
    3 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
        + 5 * count(PieceKind::Rook)
        + 9 * count(PieceKind::Queen)
}

/// The score for `strong`, whose opponent has nothing but a king.
fn against_bare_king(board: &Board, strong: Color) -> Option<Score> {
    let of = |kind| board.of(strong, kind);
    let (pawns, knights, bishops) =
        (of(PieceKind::Pawn), of(PieceKind::Knight), of(PieceKind::Bishop));
    let (light, dark) = ((bishops & Bitboard::LIGHT).any(), (bishops & Bitboard::DARK).any());
    let (king, weak_king) = (board.king(strong), board.king(!strong));
    let won = KNOWN_WIN
        + PER_PAWN * (piece_material(board, strong) + pawns.len() as i32)
        + PER_STEP_CLOSER * (7 - i32::from(king.distance(weak_king)));

    if of(PieceKind::Queen).any()
        || of(PieceKind::Rook).any()
        || (light && dark)
        || knights.len() >= 3
    {
        return Some(Score::new(won + PER_STEP_TO_EDGE * center_distance(weak_king)));
    }
    if bishops.any() && knights.any() {
        let square = if light { weak_king } else { weak_king.flip_file() };
        let steps = 14 - light_corner_distance(square);
        return Some(Score::new(won + PER_STEP_TO_CORNER * steps));
    }
    if pawns.is_empty() {
        // One minor piece, two knights, or bishops of one color.
        return Some(Score::DRAW);
    }
    if !pawns.several() && knights.is_empty() && bishops.is_empty() {
        return Some(king_and_pawn(board, strong));
    }
    None
}

/// Whether the bare king of `weak`, which is to move and not in check, is stalemated or can take
/// the last piece that could win.
fn bare_king_draws(board: &Board, weak: Color) -> bool {
    let (near, occupied) = (king_attacks(board.king(weak)), board.occupied());
    let strong = board.color(!weak);
    let is_safe = |square: &Square| (board.attackers_to(*square, occupied) & strong).is_empty();
    let mut captures = (near & strong).into_iter().filter(is_safe);
    captures.any(|square| cannot_win(board, strong.without(square)))
        || !near.into_iter().any(|square| is_safe(&square))
}

/// Whether the pieces of a side cannot mate a bare king: none beside its own, or a minor piece.
fn cannot_win(board: &Board, side: Bitboard) -> bool {
    let minor = board.pieces(PieceKind::Knight) | board.pieces(PieceKind::Bishop);
    let pieces = side & !board.pieces(PieceKind::King);
    pieces.is_subset(minor) && !pieces.several()
}

/// King and pawn against king.
fn king_and_pawn(board: &Board, strong: Color) -> Score {
    let pawn = board.of(strong, PieceKind::Pawn).lowest().relative_to(strong);
    let king = board.king(strong).relative_to(strong);
    let weak_king = board.king(!strong).relative_to(strong);
    let side_to_move = if board.side_to_move() == strong { Color::White } else { Color::Black };
    if kpk::is_won(king, weak_king, pawn, side_to_move) {
        Score::new(KING_AND_PAWN + PER_PAWN_RANK * pawn.rank().index() as i32)
    } else {
        Score::DRAW
    }
}

/// Steps by file and rank from the center to `square`: 0 in the middle, 6 in the corner.
fn center_distance(square: Square) -> i32 {
    let (file, rank) = (square.index() as i32 % 8, square.index() as i32 / 8);
    (file * 2 - 7).abs() / 2 + (rank * 2 - 7).abs() / 2
}

/// Steps by file and rank from `square` to the nearer of the light corners, A8 and H1: 0 to 7.
fn light_corner_distance(square: Square) -> i32 {
    let (file, rank) = (square.index() as i32 % 8, square.index() as i32 / 8);
    (file + 7 - rank).min(7 - file + rank)
}
