//! Mobility: how many squares a piece reaches, as was proposed by Good in "A five-year plan for
//! automatic chess", 1968.

use tamarin_variant::{Game, Piece, Sandbox, Square};

use super::boards::Boards;
use super::piece_values::RawValues;
use super::walk::{Walk, walk};

/// Squares reached with one move count fully, with two half and with three a quarter.
fn weigh(walk: Walk) -> f64 {
    walk.squares[0] + walk.squares[1] / 2.0 + walk.squares[2] / 4.0
}

/// The mobility of a piece without flags on the empty board, in squares.
pub fn empty_board_mobility(game: &Game, piece: Piece, square: Square) -> f64 {
    weigh(walk(&Sandbox::empty(game), piece, 0, square))
}

/// For each square the mean of the mobility on the empty board, among obstacles and in positions of
/// random games.
pub(super) fn values(game: &Game, boards: &Boards, same_armies: bool) -> RawValues {
    let obstacles = boards.obstacle_boards(game);
    let random = boards.random_boards();
    RawValues::fill(game, same_armies, |piece, flags, square| {
        let mean = |boards: &[Sandbox<'_>]| {
            let sum: f64 = boards.iter().map(|b| weigh(walk(b, piece, flags, square))).sum();
            sum / boards.len() as f64
        };
        let empty = weigh(walk(&Sandbox::empty(game), piece, flags, square));
        (empty + mean(&obstacles) + mean(&random)) / 3.0
    })
}
