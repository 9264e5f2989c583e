//! Knights, bishops and rooks on good and bad squares.

use tamarin_movegen::{Bitboard, PieceKind, Square};

use crate::side::{Side, beside, fill_south};
use crate::tally::Tally;
use crate::terms::passed;
use crate::weights::slots;

slots! {
    /// Placement of minor pieces and rooks.
    PIECES: PieceSlots after passed::RANGE {
        /// A knight on ranks 4 to 6, defended by a pawn, that no enemy pawn can chase away.
        knight_outpost: 1,
        /// The same for a bishop.
        bishop_outpost: 1,
        /// A knight that can jump to a free outpost.
        knight_to_outpost: 1,
        /// A minor piece right behind a pawn of either side.
        minor_behind_pawn: 1,
        /// Own pawns on the squares of the bishop's color.
        bishop_pawns: 1,
        /// Own pawns there that are blocked.
        bishop_blocked_pawns: 1,
        /// A bishop that looks at both central squares of a long diagonal.
        long_diagonal: 1,
        /// A rook on a file without pawns.
        rook_open: 1,
        /// A rook on a file without own pawns.
        rook_half_open: 1,
        /// A rook on the file of the enemy's queen.
        rook_on_queen_file: 1,
        /// A rook shut in by its own king: few squares, on the king's outer side.
        rook_trapped: 1,
    }
}

const OUTPOST_RANKS: Bitboard = Bitboard(0x0000_FFFF_FF00_0000);
const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Counts the outposts and shelters of one side's minor pieces.
pub(crate) fn minors<T: Tally>(us: &Side, t: &mut T) {
    let knights = us.own[PieceKind::Knight];
    let bishops = us.own[PieceKind::Bishop];
    let enemy_pawns = us.enemy[PieceKind::Pawn];
    let chased = fill_south(beside(enemy_pawns).south());
    let outposts = OUTPOST_RANKS & (us.attacks.by[PieceKind::Pawn] - chased);
    if outposts.any() {
        t.add(PIECES.knight_outpost, (knights & outposts).len() as i32);
        t.add(PIECES.bishop_outpost, (bishops & outposts).len() as i32);
        let reachable = us.attacks.by[PieceKind::Knight] & (outposts - us.own_all);
        t.add(PIECES.knight_to_outpost, i32::from(reachable.any()));
    }
    let shelters = (us.own[PieceKind::Pawn] | enemy_pawns).south();
    t.add(PIECES.minor_behind_pawn, ((knights | bishops) & shelters).len() as i32);
}

/// Counts a bishop on `square` that reaches `reach`.
#[inline]
pub(crate) fn bishop<T: Tally>(us: &Side, square: Square, reach: Bitboard, t: &mut T) {
    let color = if Bitboard::LIGHT.has(square) { Bitboard::LIGHT } else { Bitboard::DARK };
    let pawns = us.own[PieceKind::Pawn] & color;
    t.add(PIECES.bishop_pawns, pawns.len() as i32);
    t.add(PIECES.bishop_blocked_pawns, (pawns & us.occupied.south()).len() as i32);
    if (reach.with(square) & CENTER).several() {
        t.add(PIECES.long_diagonal, 1);
    }
}

/// Counts a rook on `square` that has `count` useful squares.
#[inline]
pub(crate) fn rook<T: Tally>(us: &Side, square: Square, count: usize, t: &mut T) {
    let file = square.file().bitboard();
    if us.is_half_open(square) {
        let open = (file & us.enemy[PieceKind::Pawn]).is_empty();
        t.add(if open { PIECES.rook_open } else { PIECES.rook_half_open }, 1);
    } else if count <= 3 {
        let king_file = us.king.index() % 8;
        let rook_file = square.index() % 8;
        let outside = if king_file < 4 { rook_file < king_file } else { rook_file > king_file };
        t.add(PIECES.rook_trapped, i32::from(outside));
    }
    if (file & us.enemy[PieceKind::Queen]).any() {
        t.add(PIECES.rook_on_queen_file, 1);
    }
}
