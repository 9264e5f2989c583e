//! What the terms of the evaluation report to.

use tamarin_movegen::{PieceKind, Square};

use crate::perspective::KingAreas;
use crate::rows::WeightIndex;

/// Receives what the terms of one side find on the board.
///
/// A term says once "this weight counts n times for this side". Playing adds up the
/// weights at once ([`crate::score_sum::ScoreSum`]); the `eval` table and the tuner keep the
/// counts ([`crate::trace::Trace`]).
pub(crate) trait TermSink {
    /// The weight counts `count` times.
    fn add(&mut self, weight: impl Into<WeightIndex>, count: i32);

    /// The same for a weight of the king danger, which
    /// [`crate::terms::king_danger::danger_score`] turns into score after all of it is added up.
    fn add_danger(&mut self, weight: impl Into<WeightIndex>, count: i32);

    /// A piece of `kind` stands on `square`: its material and its piece squares count.
    fn add_piece(&mut self, areas: KingAreas, kind: PieceKind, square: Square);
}
