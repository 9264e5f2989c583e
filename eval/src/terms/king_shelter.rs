//! King shelter: the own pawns before the king, the enemy's pawn storm, castling rights.
//!
//! Source: all of them are Stockfish 11's.

use tamarin_movegen::{Bitboard, File, PieceKind};

use crate::perspective::{Perspective, fill_north, king_flank};
use crate::rows::rows;
use crate::sink::TermSink;

rows! {
    /// Shelter and storm on the king's file and its two neighbors, and castling rights.
    KING_SHELTER: KingShelterRows of KingShelter {
        /// `[file's distance from the edge][rank of the rearmost own pawn not behind the
        /// king]`, rank 0 without such a pawn.
        shelter: 4 * 8,
        /// `[file's distance from the edge][rank of the nearest enemy pawn not behind the
        /// king]`, rank 0 without such a pawn.
        storm: 4 * 8,
        /// Instead of `storm`, when an own pawn stands right before that enemy pawn; by rank.
        blocked_storm: 8,
        /// Castling rights left.
        castling: 1,
        /// No pawn of either side on the king's flank.
        pawnless_flank: 1,
        /// Steps from the king to the nearest own pawn; 0 without pawns.
        pawn_distance: 8,
    }
}

/// Counts the shelter and storm of one side's king.
pub(crate) fn shelter<T: TermSink>(us: &Perspective, sink: &mut T) {
    let ahead = fill_north(Bitboard(0xFF << (us.king.index() & 56)));
    let own = us.own[PieceKind::Pawn] & ahead;
    let enemy = us.enemy[PieceKind::Pawn] & ahead;
    // At the edge, the king looks at the same three files as its neighbor.
    let center = (us.king.index() % 8).clamp(1, 6);
    for file in center - 1..=center + 1 {
        let squares = File::ALL[file].bitboard();
        let edge = file.min(7 - file);
        let own_rank = (own & squares).first().map_or(0, |square| square.rank().index());
        let enemy_rank = (enemy & squares).first().map_or(0, |square| square.rank().index());
        sink.add(KING_SHELTER.shelter.at(edge * 8 + own_rank), 1);
        if own_rank != 0 && enemy_rank == own_rank + 1 {
            sink.add(KING_SHELTER.blocked_storm.at(enemy_rank), 1);
        } else {
            sink.add(KING_SHELTER.storm.at(edge * 8 + enemy_rank), 1);
        }
    }
}

/// Counts the pawns' distance from one side's king.
pub(crate) fn pawns<T: TermSink>(us: &Perspective, sink: &mut T) {
    let own = us.own[PieceKind::Pawn];
    let pawns = own | us.enemy[PieceKind::Pawn];
    if (pawns & king_flank(us.king)).is_empty() {
        sink.add(KING_SHELTER.pawnless_flank, 1);
    }
    let distance = own.into_iter().map(|pawn| us.king.distance(pawn)).min();
    sink.add(KING_SHELTER.pawn_distance.at(distance.unwrap_or(0).into()), 1);
}

/// Counts one side's castling rights. Apart from the shelter, because they are no part of the
/// key of the pawn hash table.
pub(crate) fn castling_rights<T: TermSink>(us: &Perspective, sink: &mut T) {
    sink.add(KING_SHELTER.castling, us.castling_rights);
}
