//! Capturing ability: how much a piece can capture.

use tamarin_variant::Game;

use super::boards::Boards;
use super::piece_values::RawValues;
use super::walk::{Walk, Walker, mean, walkers};

/// The captures of all sequences of one, two and three moves, divided by the number of moves.
fn weigh(walk: Walk) -> f64 {
    walk.captures[0] + walk.captures[1] / 2.0 + walk.captures[2] / 3.0
}

/// For each square the mean among obstacles and in positions of random games. On the empty board
/// there is nothing to capture.
pub(super) fn values(game: &Game, boards: &Boards, same_armies: bool) -> RawValues {
    let mut obstacles = walkers(boards.obstacle_boards(game));
    let mut random = walkers(boards.random_boards());
    RawValues::fill(game, same_armies, |piece, flags, square| {
        let weight = |walker: &mut Walker<'_>| weigh(walker.walk(piece, flags, square));
        f64::midpoint(mean(&mut obstacles, weight), mean(&mut random, weight))
    })
}
