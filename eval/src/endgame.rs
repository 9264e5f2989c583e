//! Endgames that are known without judging: won, drawn, or too drawish for the
//! material they show.

use tamarin_movegen::{Bitboard, Board, Color, File, PieceKind, Square};

use crate::kpk;
use crate::score::Score;

/// What every position that is won for certain scores at least, but for king and pawn.
const KNOWN_WIN: i32 = Score::KNOWN_WIN.units();

/// Full weight of the endgame score, in 1/128.
pub(crate) const FULL_SCALE: i32 = 128;

/// The score of a position with a known result for the side to move, if it has one:
/// a bare king against enough to mate, king and pawn against king, and pieces that
/// cannot win.
#[inline]
pub(crate) fn known(board: &Board) -> Option<Score> {
    let bare = Color::ALL.into_iter().find(|&color| !board.color(color).several())?;
    let score = against_bare_king(board, !bare)?;
    Some(if board.side_to_move() == bare { -score } else { score })
}

/// The score for `strong`, whose opponent has nothing but a king.
#[cold]
fn against_bare_king(board: &Board, strong: Color) -> Option<Score> {
    let count = |kind| board.of(strong, kind).len() as i32;
    let heavy = count(PieceKind::Queen) + count(PieceKind::Rook);
    let (pawns, knights) = (count(PieceKind::Pawn), count(PieceKind::Knight));
    let bishops = board.of(strong, PieceKind::Bishop);
    let (light, dark) = ((bishops & Bitboard::LIGHT).any(), (bishops & Bitboard::DARK).any());
    let (ours, theirs) = (board.king(strong), board.king(!strong));
    let closeness = 10 * (7 - i32::from(ours.distance(theirs)));

    if heavy > 0 || (light && dark) || knights >= 3 {
        let material = 9 * count(PieceKind::Queen)
            + 5 * count(PieceKind::Rook)
            + 3 * (knights + bishops.len() as i32)
            + pawns;
        return Some(Score::new(KNOWN_WIN + 100 * material + closeness + 10 * edge(theirs)));
    }
    if bishops.any() && knights > 0 {
        let corner =
            if light { corner_distance(theirs) } else { corner_distance(theirs.flip_file()) };
        let material = 100 * (3 * (knights + bishops.len() as i32) + pawns);
        return Some(Score::new(KNOWN_WIN + material + closeness + 40 * (14 - corner)));
    }
    if pawns == 0 {
        // One minor piece, two knights, or bishops of one color.
        return Some(Score::DRAW);
    }
    if pawns == 1 && knights == 0 && bishops.is_empty() {
        return Some(king_and_pawn(board, strong));
    }
    None
}

fn king_and_pawn(board: &Board, strong: Color) -> Score {
    let pawn = board.of(strong, PieceKind::Pawn).lowest().relative_to(strong);
    let ours = board.king(strong).relative_to(strong);
    let theirs = board.king(!strong).relative_to(strong);
    if kpk::is_won(ours, theirs, pawn, board.side_to_move() == strong) {
        Score::new(KNOWN_WIN / 2 + 50 * pawn.rank().index() as i32)
    } else {
        Score::DRAW
    }
}

/// How far `square` is from the center: 0 in the middle, 6 in the corner.
fn edge(square: Square) -> i32 {
    let (file, rank) = (square.index() as i32 % 8, square.index() as i32 / 8);
    (file * 2 - 7).abs() / 2 + (rank * 2 - 7).abs() / 2
}

/// Steps by file and rank from `square` to the nearer of the light corners, A8 and H1:
/// 0 to 7.
fn corner_distance(square: Square) -> i32 {
    let (file, rank) = (square.index() as i32 % 8, square.index() as i32 / 8);
    (file + 7 - rank).min(7 - file + rank)
}

/// How much of the endgame score counts, in 1/128, when `strong` is the side it favors.
pub(crate) fn scale(board: &Board, strong: Color) -> i32 {
    let pawns = board.of(strong, PieceKind::Pawn);
    if pawns.is_empty() {
        return pawnless(board, strong);
    }
    let bishops = board.of(strong, PieceKind::Bishop);
    let weak_bishops = board.of(!strong, PieceKind::Bishop);
    let pieces = board.occupied() - board.pieces(PieceKind::Pawn) - board.pieces(PieceKind::King);
    let (ours, theirs) = (pieces & board.color(strong), pieces & board.color(!strong));
    if theirs.is_empty() && ours == bishops && cannot_promote(board, strong) {
        return 0;
    }
    let count = pawns.len() as i32;
    let missing = 8 - count;
    let by_pawns = FULL_SCALE - missing * missing;
    if !bishops.several() && !weak_bishops.several() && opposite(bishops, weak_bishops) {
        if pieces == board.pieces(PieceKind::Bishop) {
            return (32 + 10 * count).min(by_pawns);
        }
        return by_pawns * 7 / 8;
    }
    by_pawns
}

/// One bishop each, on squares of different colors?
fn opposite(bishops: Bitboard, weak_bishops: Bitboard) -> bool {
    bishops.any()
        && weak_bishops.any()
        && (bishops & Bitboard::LIGHT).any() != (weak_bishops & Bitboard::LIGHT).any()
}

/// Without pawns, less than a rook more than the enemy rarely wins.
///
/// Source: Stockfish 11's material scale factors.
fn pawnless(board: &Board, strong: Color) -> i32 {
    let pieces = |color| {
        let count = |kind| board.of(color, kind).len() as i32;
        3 * (count(PieceKind::Knight) + count(PieceKind::Bishop))
            + 5 * count(PieceKind::Rook)
            + 9 * count(PieceKind::Queen)
    };
    let (ours, theirs) = (pieces(strong), pieces(!strong));
    if ours - theirs > 3 {
        FULL_SCALE
    } else if ours < 5 {
        0
    } else if theirs <= 3 {
        8
    } else {
        28
    }
}

/// All pawns on one rook file whose corner the bishops (if any) do not control, and
/// the enemy king in that corner or next to it, so that it can never be driven out.
fn cannot_promote(board: &Board, strong: Color) -> bool {
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
