//! Mobility: how many squares a piece reaches, as was proposed by Good in "A five-year plan for
//! automatic chess", 1968.

use tamarin_variant::{Game, Piece, SetupBoard, Square};

use super::boards::{Boards, mean};
use super::piece_values::RawValues;
use super::walk::{Walk, walk};

/// Squares reached with one move count fully, with two half and with three a quarter.
fn weigh(walk: Walk) -> f64 {
    walk.squares[0] + walk.squares[1] / 2.0 + walk.squares[2] / 4.0
}

/// The mobility of a piece without flags on the empty board, in squares.
pub fn empty_board_mobility(game: &Game, piece: Piece, square: Square) -> f64 {
    weigh(walk(&SetupBoard::empty(game), piece, 0, square))
}

/// For each square the mean of the mobility on the empty board, among obstacles and in positions of
/// random games.
pub(super) fn values(game: &Game, boards: &Boards, same_armies: bool) -> RawValues {
    let obstacles = boards.obstacle_boards(game);
    let random = boards.random_boards();
    RawValues::fill(game, same_armies, |piece, flags, square| {
        let weight = |board: &SetupBoard<'_>| weigh(walk(board, piece, flags, square));
        let empty = weight(&SetupBoard::empty(game));
        (empty + mean(&obstacles, weight) + mean(&random, weight)) / 3.0
    })
}
