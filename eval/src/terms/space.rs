//! Room behind the own pawns, worth more the more pieces there are to use it.

use tamarin_movegen::{Bitboard, PieceKind};

use crate::side::{Attacks, Side};
use crate::tally::Tally;
use crate::terms::threats;
use crate::weights::slots;

slots! {
    /// Space.
    SPACE: SpaceSlots after threats::RANGE {
        /// Safe central squares times the square of the number of own pieces, over 16.
        squares: 1,
    }
}

/// Counts the space of one side.
///
/// Source: Stockfish 11's space term.
pub(crate) fn space<T: Tally>(us: &Side, them: &Attacks, t: &mut T) {
    const CENTRAL_CAMP: Bitboard = Bitboard(0x0000_0000_3C3C_3C00);
    let pawns = us.own[PieceKind::Pawn];
    let pieces = us.own_all.len() as i32;
    let safe = CENTRAL_CAMP - pawns - them.by[PieceKind::Pawn];
    // Squares up to three ranks behind a pawn count twice.
    let mut behind = pawns.south();
    behind |= behind.south();
    behind |= behind.south();
    let room = safe.len() + (safe & (behind - them.all)).len();
    t.add(SPACE.squares, room as i32 * pieces * pieces / 16);
}
