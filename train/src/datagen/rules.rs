//! When a game is over.

use tamarin_movegen::Position;

use crate::data::Outcome;

/// The result by the rules of the game, if it is over.
pub(crate) fn result(position: &Position) -> Option<Outcome> {
    if !position.has_legal_move() {
        return Some(match position.in_check() {
            true => Outcome::won_by(!position.side_to_move()),
            false => Outcome::Draw,
        });
    }
    let drawn = position.is_fifty_move_draw()
        || position.is_insufficient_material()
        || position.is_repetition(0);
    drawn.then_some(Outcome::Draw)
}
