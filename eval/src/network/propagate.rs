//! From accumulators to engine units, and the evaluation of a board from scratch.

use tamarin_movegen::{Board, Color, PerColor};

use super::architecture::{Orientation, QA, QB, UNITS_PER_LOGIT, bucket, features};
use super::kernels::Block;
use super::kernels::{activated_sum, add_row};
use super::parameters::Network;

impl Network {
    /// The network's evaluation of a board, in engine units for the side to move, without known
    /// endgames and without limits: from scratch, for a single position.
    ///
    /// Meaningless in check, which is not in the training data.
    pub fn evaluate_from_scratch(&self, board: &Board) -> i32 {
        let accumulators = PerColor(Color::ALL.map(|color| self.accumulate(board, color)));
        let us = board.side_to_move();
        let pieces = board.occupied().len() as usize;
        self.propagate(&accumulators[us], &accumulators[!us], pieces)
    }

    /// The accumulator of a perspective: the biases and the weights of all its features.
    fn accumulate(&self, board: &Board, perspective: Color) -> Box<[Block]> {
        let mut accumulator: Box<[Block]> = self.feature_biases().into();
        let king = board.king(perspective);
        let orientation = Orientation::new(perspective, king);
        let rows = self.feature_rows(orientation.king_bucket(king, self.king_buckets()));
        for feature in features(board, perspective) {
            add_row(&mut accumulator, rows.of(feature));
        }
        accumulator
    }

    /// The output layer: from the accumulators of the side to move and of the other side, on a
    /// board with `pieces` pieces, to engine units.
    pub(super) fn propagate(&self, own: &[Block], other: &[Block], pieces: usize) -> i32 {
        let bucket = bucket(pieces, self.buckets());
        let (own_weights, other_weights) = self.output_rows(bucket);
        let sum = activated_sum([own, other], [own_weights, other_weights]);
        let output = sum / QA + self.output_bias(bucket);
        output * UNITS_PER_LOGIT / (QA * QB)
    }
}
