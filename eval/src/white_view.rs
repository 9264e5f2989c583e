//! Points of view of a score.

use tamarin_base::Score;
use tamarin_movegen::Color;

/// The score of the side to move from White's point of view, or the other way round.
#[inline]
pub const fn white_view(score: Score, side_to_move: Color) -> Score {
    match side_to_move {
        Color::White => score,
        Color::Black => Score::new(-score.units()),
    }
}
