//! Positions set up square by square.

use std::sync::Arc;

use super::placement::Playable;
use super::state::State;
use super::{Occupant, Position};
use crate::board::{Code, Color, Square};
use crate::game::Game;
use crate::square_text;

/// Why a board makes no position of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SetUpError {
    #[error("the board has {expected} squares, not {found}")]
    Squares { found: usize, expected: usize },
    #[error("the piece on {0} does not belong to this game")]
    Piece(String),
    #[error("the flags on {0} are none of this game, or there is no piece")]
    Flags(String),
    #[error("{0} can take a royal piece at once")]
    RoyalCapture(Color),
}

impl Position {
    /// The position with these occupants of the squares, in their order, after `plies` plies.
    ///
    /// # Errors
    /// If it is no position of the game.
    pub fn set_up(
        game: &Arc<Game>,
        occupants: &[Occupant],
        side_to_move: Color,
        plies: u32,
    ) -> Result<Self, SetUpError> {
        let expected = game.squares();
        if occupants.len() != expected {
            return Err(SetUpError::Squares { found: occupants.len(), expected });
        }
        let known = (1_u32 << game.flags.len()) - 1;
        let mut state = State::empty();
        for (square, occupant) in occupants.iter().enumerate() {
            let square = square as Square;
            let name = || square_text::write(square, game.columns);
            let Some(piece) = occupant.piece else {
                if occupant.flags != 0 {
                    return Err(SetUpError::Flags(name()));
                }
                continue;
            };
            if usize::from(piece.kind) >= game.piece_count() {
                return Err(SetUpError::Piece(name()));
            }
            if u32::from(occupant.flags) & !known != 0 {
                return Err(SetUpError::Flags(name()));
            }
            let code = Code::new(piece.color, usize::from(piece.kind));
            state.write(game, square, code, occupant.flags);
        }
        state.side_to_move = side_to_move;
        state.fullmoves = plies.min(1_000_000) / 2 + 1;
        let position = Self { game: Arc::clone(game), state };
        if position.state.placement().takes_royal(game, side_to_move) {
            return Err(SetUpError::RoyalCapture(side_to_move));
        }
        Ok(position)
    }
}
