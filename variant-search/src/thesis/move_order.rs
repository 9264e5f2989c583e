//! Orders of moves ("moves iterators").

use std::cmp::Reverse;
use std::str::FromStr;

use tamarin_variant::{Color, Move, Position};

use crate::evaluate::Evaluator;

/// An order in which moves are tried.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MoveOrder {
    /// As they are generated.
    Base,
    /// By the evaluation of the position after the move.
    Monotonous,
    /// By its cumulative part alone.
    FasterMonotonous,
    /// By the value of the piece that moves.
    StrongestPiece,
    /// Captures first.
    #[default]
    CapturesFirst,
}

/// The name of no iterator.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no iterator {0:?}; there are base, mono, faster, strong, captures")]
pub struct UnknownMoveOrder(String);

impl MoveOrder {
    /// All of them, in the order of the thesis's table.
    pub const ALL: [Self; 5] = [
        Self::Base,
        Self::Monotonous,
        Self::FasterMonotonous,
        Self::StrongestPiece,
        Self::CapturesFirst,
    ];

    /// What commands call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Base => "base",
            Self::Monotonous => "mono",
            Self::FasterMonotonous => "faster",
            Self::StrongestPiece => "strong",
            Self::CapturesFirst => "captures",
        }
    }

    /// Puts pseudo-legal moves of the side to move in order. Moves that it does not tell apart are
    /// sorted by the row of their origin as that side sees the board, its own end first, then as
    /// they are generated. `sum` is the cumulative part of the evaluation.
    pub fn sort(
        self,
        evaluator: &Evaluator,
        position: &mut Position,
        sum: i64,
        moves: &mut [Move],
    ) {
        let side = position.side_to_move();
        let own = |value: i64| if side == Color::White { value } else { -value };
        let game = evaluator.game();
        let relative_row = |m: Move| {
            // What comes from the hand has no origin: its target counts.
            let from = m.origin().unwrap_or(m.to);
            let square = if side == Color::White { from } else { game.flip(from) };
            square / game.columns()
        };
        let mut scratch = Vec::new();
        match self {
            Self::Base => {}
            Self::Monotonous | Self::FasterMonotonous => moves.sort_by_cached_key(|&m| {
                position.make(m);
                let sum = evaluator.sum_after(sum, position);
                let value = match self {
                    Self::Monotonous => evaluator.evaluate(position, sum, &mut scratch),
                    _ => sum,
                };
                position.unmake();
                (Reverse(own(value)), relative_row(m))
            }),
            Self::StrongestPiece => moves.sort_by_cached_key(|&m| {
                let piece = position.mover(m);
                (Reverse(piece.map(|piece| evaluator.values().mean(piece))), relative_row(m))
            }),
            Self::CapturesFirst => {
                moves.sort_by_cached_key(|&m| (!position.is_capture(m), relative_row(m)));
            }
        }
    }
}

impl FromStr for MoveOrder {
    type Err = UnknownMoveOrder;

    fn from_str(text: &str) -> Result<Self, UnknownMoveOrder> {
        let found = Self::ALL.into_iter().find(|order| order.name() == text);
        found.ok_or_else(|| UnknownMoveOrder(text.chars().take(20).collect()))
    }
}
