//! Space: safe squares in the center behind the own pawns, worth more the more pieces there
//! are to use it.
//!
//! Source: Stockfish 11's space term.

use tamarin_movegen::{Bitboard, PieceKind};

use crate::params::SPACE_DIVISOR;
use crate::perspective::{Attacks, Perspective};
use crate::rows::rows;
use crate::sink::TermSink;

rows! {
    /// Space.
    SPACE: SpaceRows of Space {
        /// Safe central squares times the square of the number of own pieces, over
        /// [`SPACE_DIVISOR`].
        squares: 1,
    }
}

/// Counts the space of one side.
pub(crate) fn space<T: TermSink>(us: &Perspective, them: &Attacks, sink: &mut T) {
    /// Files c to f, ranks 2 to 4.
    const SPACE_AREA: Bitboard = Bitboard(0x0000_0000_3C3C_3C00);
    let pawns = us.own[PieceKind::Pawn];
    let pieces = us.own_all.len() as i32;
    let safe = SPACE_AREA - pawns - them.by[PieceKind::Pawn];
    // Squares up to three ranks behind a pawn count twice.
    let mut behind = pawns.south();
    behind |= behind.south();
    behind |= behind.south();
    let squares = safe.len() + (safe & (behind - them.all)).len();
    sink.add(SPACE.squares, squares as i32 * pieces * pieces / SPACE_DIVISOR);
}
