//! Knights, bishops and rooks on good and bad squares.

use tamarin_movegen::{Bitboard, PieceKind, bishop_attacks, rook_attacks};

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
        /// Steps from a knight to the own king.
        knight_to_king: 1,
        /// Steps from a bishop to the own king.
        bishop_to_king: 1,
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

/// Counts the minor pieces and rooks of one side.
pub(crate) fn pieces<T: Tally>(us: &Side, t: &mut T) {
    minors(us, t);
    for square in us.own[PieceKind::Bishop] {
        bishop(us, square.bitboard(), t);
        let pawns = us.own[PieceKind::Pawn] | us.enemy[PieceKind::Pawn];
        let seen = bishop_attacks(square, pawns).with(square);
        let central = seen & CENTER;
        t.add(PIECES.long_diagonal, i32::from(central.several()));
    }
    rooks(us, t);
}

fn minors<T: Tally>(us: &Side, t: &mut T) {
    let knights = us.own[PieceKind::Knight];
    let bishops = us.own[PieceKind::Bishop];
    let pawns = us.own[PieceKind::Pawn];
    let chased = fill_south(beside(us.enemy[PieceKind::Pawn]).south());
    let outposts = OUTPOST_RANKS & (us.attacks.by[PieceKind::Pawn] - chased);
    t.add(PIECES.knight_outpost, (knights & outposts).len() as i32);
    t.add(PIECES.bishop_outpost, (bishops & outposts).len() as i32);
    let free = outposts - us.own_all;
    let reachable = us.attacks.by[PieceKind::Knight] & free;
    t.add(PIECES.knight_to_outpost, i32::from(reachable.any()));
    let shelters = (pawns | us.enemy[PieceKind::Pawn]).south();
    t.add(PIECES.minor_behind_pawn, ((knights | bishops) & shelters).len() as i32);
    for square in knights {
        t.add(PIECES.knight_to_king, i32::from(square.distance(us.king)));
    }
    for square in bishops {
        t.add(PIECES.bishop_to_king, i32::from(square.distance(us.king)));
    }
}

fn bishop<T: Tally>(us: &Side, bishop: Bitboard, t: &mut T) {
    let color = if (bishop & Bitboard::LIGHT).any() { Bitboard::LIGHT } else { Bitboard::DARK };
    let pawns = us.own[PieceKind::Pawn] & color;
    t.add(PIECES.bishop_pawns, pawns.len() as i32);
    t.add(PIECES.bishop_blocked_pawns, (pawns & us.occupied.south()).len() as i32);
}

fn rooks<T: Tally>(us: &Side, t: &mut T) {
    let enemy_pawns = us.enemy[PieceKind::Pawn];
    for square in us.own[PieceKind::Rook] {
        let file = square.file().bitboard();
        if us.is_half_open(square) {
            if (file & enemy_pawns).is_empty() {
                t.add(PIECES.rook_open, 1);
            } else {
                t.add(PIECES.rook_half_open, 1);
            }
        } else {
            let king_file = us.king.index() % 8;
            let rook_file = square.index() % 8;
            let outside = (king_file < 4) == (rook_file < king_file);
            let cramped = rook_attacks(square, us.occupied) & us.mobility_area;
            let shut_in = outside && king_file != rook_file && cramped.len() <= 3;
            t.add(PIECES.rook_trapped, i32::from(shut_in));
        }
        t.add(PIECES.rook_on_queen_file, i32::from((file & us.enemy[PieceKind::Queen]).any()));
    }
}
