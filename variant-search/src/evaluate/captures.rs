//! Capturing ability: how much a piece can capture.

use tamarin_variant::{Game, SetupBoard};

use super::boards::{Boards, mean};
use super::piece_values::RawValues;
use super::walk::{Walk, walk};

/// The captures of all sequences of one, two and three moves, divided by the number of moves.
fn weigh(walk: Walk) -> f64 {
    walk.captures[0] + walk.captures[1] / 2.0 + walk.captures[2] / 3.0
}

/// For each square the mean among obstacles and in positions of random games. On the empty board
/// there is nothing to capture.
pub(super) fn values(game: &Game, boards: &Boards, same_armies: bool) -> RawValues {
    let obstacles = boards.obstacle_boards(game);
    let random = boards.random_boards();
    RawValues::fill(game, same_armies, |piece, flags, square| {
        let weight = |board: &SetupBoard<'_>| weigh(walk(board, piece, flags, square));
        f64::midpoint(mean(&obstacles, weight), mean(&random, weight))
    })
}
