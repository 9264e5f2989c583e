//! When a game is over.

use tamarin_movegen::Position;

use crate::data::Outcome;

/// The result by the rules of the game, if it is over.
pub(crate) fn result(position: &Position) -> Option<Outcome> {
    let outcome = position.outcome_with_claims()?;
    Some(outcome.winner.map_or(Outcome::Draw, Outcome::won_by))
}
