//! The two sides as types, so that code which knows who moves is compiled for each.

use crate::{Bitboard, Color, Rank, Square};

/// Who moves. What differs between the colors in generating moves of pawns is here.
pub(crate) trait Side: Copy {
    const COLOR: Color;
    type Them: Side<Them = Self>;
    /// Where a pawn lands that may go on for its double step.
    const THIRD_RANK: Bitboard;
    /// Where pawns stand that promote next.
    const SEVENTH_RANK: Bitboard;
    /// Where pawns promote.
    const LAST_RANK: Bitboard;
    /// Index difference of one step ahead.
    const AHEAD: i8;

    /// The set moved one rank ahead.
    fn advance(pawns: Bitboard) -> Bitboard;

    /// The square one rank ahead; wraps round at the last rank.
    #[inline]
    fn ahead(square: Square) -> Square {
        Square::from_masked((square as i8).wrapping_add(Self::AHEAD) as u8)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct WhiteSide;

#[derive(Clone, Copy)]
pub(crate) struct BlackSide;

impl Side for WhiteSide {
    const COLOR: Color = Color::White;
    type Them = BlackSide;
    const THIRD_RANK: Bitboard = Rank::Third.bitboard();
    const SEVENTH_RANK: Bitboard = Rank::Seventh.bitboard();
    const LAST_RANK: Bitboard = Rank::Eighth.bitboard();
    const AHEAD: i8 = 8;

    #[inline]
    fn advance(pawns: Bitboard) -> Bitboard {
        pawns.north()
    }
}

impl Side for BlackSide {
    const COLOR: Color = Color::Black;
    type Them = WhiteSide;
    const THIRD_RANK: Bitboard = Rank::Sixth.bitboard();
    const SEVENTH_RANK: Bitboard = Rank::Second.bitboard();
    const LAST_RANK: Bitboard = Rank::First.bitboard();
    const AHEAD: i8 = -8;

    #[inline]
    fn advance(pawns: Bitboard) -> Bitboard {
        pawns.south()
    }
}

/// Evaluates an expression with `$side` standing for the type of `$color`.
macro_rules! for_side {
    ($color:expr, $side:ident => $body:expr) => {
        match $color {
            $crate::Color::White => {
                type $side = $crate::side::WhiteSide;
                $body
            }
            $crate::Color::Black => {
                type $side = $crate::side::BlackSide;
                $body
            }
        }
    };
}
pub(crate) use for_side;
