//! The pawns before the king, own and enemy.

use tamarin_movegen::{File, PieceKind};

use crate::side::{Side, fill_north};
use crate::tally::Tally;
use crate::terms::pieces;
use crate::weights::slots;

slots! {
    /// Shelter and storm on the king's file and its two neighbors, and castling rights.
    KING: KingSlots after pieces::RANGE {
        /// `[file's distance from the edge][rank of the rearmost own pawn not behind the
        /// king]`, rank 0 when there is none.
        shelter: 4 * 8,
        /// `[file's distance from the edge][rank of the nearest enemy pawn not behind the
        /// king]`, rank 0 when there is none.
        storm: 4 * 8,
        /// Instead of `storm`, when an own pawn stands right before that enemy pawn; by rank.
        blocked_storm: 8,
        /// Rights to castle left.
        castling: 1,
    }
}

/// Counts the shelter of one side's king.
pub(crate) fn shelter<T: Tally>(us: &Side, t: &mut T) {
    let ahead = fill_north(tamarin_movegen::Bitboard(0xFF << (us.king.index() & 56)));
    let own = us.own[PieceKind::Pawn] & ahead;
    let enemy = us.enemy[PieceKind::Pawn] & ahead;
    // At the edge, the king looks at the same three files as its neighbor.
    let center = (us.king.index() % 8).clamp(1, 6);
    for file in center - 1..=center + 1 {
        let squares = File::ALL[file].bitboard();
        let edge = file.min(7 - file);
        let own_rank = (own & squares).first().map_or(0, |square| square.rank().index());
        let enemy_rank = (enemy & squares).first().map_or(0, |square| square.rank().index());
        t.add(KING.shelter.at(edge * 8 + own_rank), 1);
        if own_rank != 0 && enemy_rank == own_rank + 1 {
            t.add(KING.blocked_storm.at(enemy_rank), 1);
        } else {
            t.add(KING.storm.at(edge * 8 + enemy_rank), 1);
        }
    }
}
