//! Mobility: how many squares a piece reaches, as was proposed by Good in "A five-year plan for
//! automatic chess", 1968.

use tamarin_variant::{Game, Piece, SetupBoard, Square};

use super::boards::Boards;
use super::piece_values::RawValues;
use super::walk::{Walk, Walker, mean, walkers};

/// Squares reached with one move count fully, with two half and with three a quarter.
fn weigh(walk: Walk) -> f64 {
    walk.squares[0] + walk.squares[1] / 2.0 + walk.squares[2] / 4.0
}

/// The mobility of a piece without flags on the empty board, in squares.
pub fn empty_board_mobility(game: &Game, piece: Piece, square: Square) -> f64 {
    weigh(Walker::new(SetupBoard::empty(game)).walk(piece, 0, square))
}

/// For each square the mean of the mobility on the empty board, among obstacles and in positions of
/// random games.
pub(super) fn values(game: &Game, boards: &Boards, same_armies: bool) -> RawValues {
    let mut empty = Walker::new(SetupBoard::empty(game));
    let mut obstacles = walkers(boards.obstacle_boards(game));
    let mut random = walkers(boards.random_boards());
    RawValues::fill(game, same_armies, |piece, flags, square| {
        let weight = |walker: &mut Walker<'_>| weigh(walker.walk(piece, flags, square));
        (weight(&mut empty) + mean(&mut obstacles, weight) + mean(&mut random, weight)) / 3.0
    })
}
