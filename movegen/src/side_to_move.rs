//! The side to move as a type parameter: the generator is compiled once for each side, as
//! with Stockfish's `template<Color Us>`.

use crate::{Bitboard, Color, Rank, Square};

/// The side to move, and what depends on it in generating pawn moves.
pub(crate) trait SideToMove: Copy {
    const COLOR: Color;
    type Them: SideToMove<Them = Self>;
    /// The rank a pawn reaches by a single push before it can make a double push.
    const THIRD_RANK: Bitboard;
    /// The rank from which pawns promote.
    const SEVENTH_RANK: Bitboard;
    /// The rank on which pawns promote.
    const LAST_RANK: Bitboard;
    /// Difference of square indices of a single push.
    const PUSH: i8;

    /// The set moved one rank forward.
    fn push(pawns: Bitboard) -> Bitboard;

    /// The square one rank forward; wraps round at the last rank.
    fn forward(square: Square) -> Square {
        Square::from_masked((square as i8).wrapping_add(Self::PUSH) as u8)
    }
}

#[derive(Clone, Copy)]
pub(crate) struct WhiteToMove;

#[derive(Clone, Copy)]
pub(crate) struct BlackToMove;

impl SideToMove for WhiteToMove {
    const COLOR: Color = Color::White;
    type Them = BlackToMove;
    const THIRD_RANK: Bitboard = Rank::Third.bitboard();
    const SEVENTH_RANK: Bitboard = Rank::Seventh.bitboard();
    const LAST_RANK: Bitboard = Rank::Eighth.bitboard();
    const PUSH: i8 = 8;

    fn push(pawns: Bitboard) -> Bitboard {
        pawns.north()
    }
}

impl SideToMove for BlackToMove {
    const COLOR: Color = Color::Black;
    type Them = WhiteToMove;
    const THIRD_RANK: Bitboard = Rank::Sixth.bitboard();
    const SEVENTH_RANK: Bitboard = Rank::Second.bitboard();
    const LAST_RANK: Bitboard = Rank::First.bitboard();
    const PUSH: i8 = -8;

    fn push(pawns: Bitboard) -> Bitboard {
        pawns.south()
    }
}

/// Evaluates an expression with `$us` standing for the type of the side to move `$color`.
macro_rules! for_side_to_move {
    ($color:expr, $us:ident => $body:expr) => {
        match $color {
            $crate::Color::White => {
                type $us = $crate::side_to_move::WhiteToMove;
                $body
            }
            $crate::Color::Black => {
                type $us = $crate::side_to_move::BlackToMove;
                $body
            }
        }
    };
}
pub(crate) use for_side_to_move;
