//! Win, draw and loss probabilities of a score, as UCI prints them.

use tamarin_eval::{Score, wdl};
use tamarin_movegen::Position;
use tamarin_uci::Wdl;

/// The probabilities for the side to move, in permille.
pub fn probabilities(score: Score, position: &Position) -> Option<Wdl> {
    let [win, draw, loss] = wdl::permille(score, position);
    Wdl::new(win, draw, loss)
}
