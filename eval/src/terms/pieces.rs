//! Minor pieces and rooks: outposts, bad bishops, rooks on open files, trapped rooks.
//!
//! Source: the terms are Stockfish 11's.

use tamarin_movegen::{Bitboard, PieceKind, Square};

use crate::params::TRAPPED_ROOK_MOBILITY;
use crate::perspective::{Perspective, beside, fill_south};
use crate::rows::rows;
use crate::sink::TermSink;

rows! {
    /// Placement of minor pieces and rooks.
    PIECES: PieceRows of Pieces {
        /// A knight on an outpost: ranks 4 to 6, defended by a pawn, and no enemy pawn can ever
        /// attack it.
        knight_outpost: 1,
        /// A bishop on an outpost.
        bishop_outpost: 1,
        /// A knight that can reach an outpost in one move.
        knight_to_outpost: 1,
        /// A minor piece right behind a pawn of either side.
        minor_behind_pawn: 1,
        /// Own pawns on the squares of the bishop's color.
        bishop_pawns: 1,
        /// Own pawns there that are blocked.
        bishop_blocked_pawns: 1,
        /// A bishop that attacks both central squares of a long diagonal.
        long_diagonal: 1,
        /// A rook on an open file: no pawns.
        rook_open: 1,
        /// A rook on a half-open file: no own pawns.
        rook_half_open: 1,
        /// A rook on the file of the enemy's queen.
        rook_on_queen_file: 1,
        /// A rook trapped by its own king: little mobility, on the king's side toward the edge.
        rook_trapped: 1,
    }
}

const OUTPOST_RANKS: Bitboard = Bitboard(0x0000_FFFF_FF00_0000);
const CENTER: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Counts the outposts of one side's minor pieces, and those behind pawns.
pub(crate) fn minors<T: TermSink>(us: &Perspective, sink: &mut T) {
    let knights = us.own[PieceKind::Knight];
    let bishops = us.own[PieceKind::Bishop];
    let enemy_pawns = us.enemy[PieceKind::Pawn];
    let enemy_attack_span = fill_south(beside(enemy_pawns).south());
    let outposts = OUTPOST_RANKS & (us.attacks.by[PieceKind::Pawn] - enemy_attack_span);
    if outposts.any() {
        sink.add(PIECES.knight_outpost, (knights & outposts).len() as i32);
        sink.add(PIECES.bishop_outpost, (bishops & outposts).len() as i32);
        let reachable = us.attacks.by[PieceKind::Knight] & (outposts - us.own_all);
        sink.add(PIECES.knight_to_outpost, i32::from(reachable.any()));
    }
    let behind_pawns = (us.own[PieceKind::Pawn] | enemy_pawns).south();
    sink.add(PIECES.minor_behind_pawn, ((knights | bishops) & behind_pawns).len() as i32);
}

/// Counts a bishop on `square` that attacks `attacks`.
#[inline]
pub(crate) fn bishop<T: TermSink>(
    us: &Perspective,
    square: Square,
    attacks: Bitboard,
    sink: &mut T,
) {
    let color = if Bitboard::LIGHT.has(square) { Bitboard::LIGHT } else { Bitboard::DARK };
    let pawns = us.own[PieceKind::Pawn] & color;
    sink.add(PIECES.bishop_pawns, pawns.len() as i32);
    sink.add(PIECES.bishop_blocked_pawns, (pawns & us.occupied.south()).len() as i32);
    if (attacks.with(square) & CENTER).several() {
        sink.add(PIECES.long_diagonal, 1);
    }
}

/// Counts a rook on `square` with this mobility.
#[inline]
pub(crate) fn rook<T: TermSink>(us: &Perspective, square: Square, mobility: usize, sink: &mut T) {
    let file = square.file().bitboard();
    if us.is_half_open(square) {
        let open = (file & us.enemy[PieceKind::Pawn]).is_empty();
        sink.add(if open { PIECES.rook_open } else { PIECES.rook_half_open }, 1);
    } else if mobility <= TRAPPED_ROOK_MOBILITY {
        let king_file = us.king.index() % 8;
        let rook_file = square.index() % 8;
        let outside = if king_file < 4 { rook_file < king_file } else { rook_file > king_file };
        sink.add(PIECES.rook_trapped, i32::from(outside));
    }
    if (file & us.enemy[PieceKind::Queen]).any() {
        sink.add(PIECES.rook_on_queen_file, 1);
    }
}
