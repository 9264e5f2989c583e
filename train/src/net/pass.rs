//! Positions through the network and back, tile by tile: 64 neurons for all positions of a pass,
//! then the next 64.

use tamarin_eval::network::{Orientation, bucket};
use tamarin_movegen::Color;

use super::model::{Shape, TILE_WIDTHS};
use super::record::Record;
use super::values::{Values, add, dot};

/// Positions of a pass, at most. The more there are, the less often a tile has to be fetched; the
/// fewer, the nearer their accumulators stay (1 MB at width 256).
pub(super) const POSITIONS: usize = 512;

/// What the network sees of a position.
#[derive(Clone, Copy)]
struct Features {
    /// The features that the side to move sees, and those of the other side.
    sides: [[u16; 32]; 2],
    count: u16,
    /// The output bucket.
    bucket: u16,
}

impl Features {
    fn new(record: &Record, buckets: usize) -> Self {
        let kings = record.kings();
        let orientations = Color::ALL.map(|color| Orientation::new(color, kings[color.index()]));
        let bucket = bucket(record.piece_count(), buckets) as u16;
        let mut features = Self { sides: [[0; 32]; 2], count: 0, bucket };
        for (color, kind, square) in record.pieces() {
            for (side, orientation) in features.sides.iter_mut().zip(orientations) {
                side[usize::from(features.count)] = orientation.feature(color, kind, square) as u16;
            }
            features.count += 1;
        }
        features
    }

    fn of_side(&self, side: usize) -> impl Iterator<Item = usize> + '_ {
        self.sides[side][..usize::from(self.count)].iter().map(|&feature| usize::from(feature))
    }

    fn bucket(&self) -> usize {
        usize::from(self.bucket)
    }
}

/// What passes need besides the parameters; reused from pass to pass.
pub(super) struct Pass {
    shape: Shape,
    features: Vec<Features>,
    /// `[tile][position][side][neuron]`, the side to move first.
    accumulators: Values,
    outputs: Vec<f32>,
}

impl Pass {
    /// For networks of this shape.
    pub fn new(shape: Shape) -> Self {
        let accumulators = Values::zeros(2 * shape.width * POSITIONS);
        Self { shape, features: Vec::new(), accumulators, outputs: Vec::new() }
    }

    /// The outputs of the network for [`POSITIONS`] positions or fewer: 1 / (1 + exp(-output))
    /// points are expected.
    pub fn forward(&mut self, values: &[f32], records: &[Record]) -> &[f32] {
        assert!(records.len() <= POSITIONS, "too many positions for a pass");
        let shape = self.shape;
        self.features.clear();
        self.features.extend(records.iter().map(|record| Features::new(record, shape.buckets)));
        self.outputs.clear();
        self.outputs.resize(records.len(), 0.0);
        if shape.tile_width() == TILE_WIDTHS[0] {
            self.forward_tiles::<{ TILE_WIDTHS[0] }>(values);
        } else {
            self.forward_tiles::<{ TILE_WIDTHS[1] }>(values);
        }
        let biases = &values[shape.output_biases()];
        for (output, features) in self.outputs.iter_mut().zip(&self.features) {
            *output += biases[features.bucket()];
        }
        &self.outputs
    }

    /// [`Self::forward`] but for the output biases.
    fn forward_tiles<const N: usize>(&mut self, values: &[f32]) {
        let Self { shape, features, accumulators, outputs } = self;
        let accumulators = accumulators.as_chunks_mut::<N>().0.as_chunks_mut::<2>().0;
        let accumulators = accumulators.chunks_exact_mut(POSITIONS);
        for (tile, accumulators) in shape.tiles(values).zip(accumulators) {
            let rows = tile.as_chunks::<N>().0;
            let positions = features.iter().zip(accumulators).zip(&mut *outputs);
            for ((features, accumulators), output) in positions {
                for (side, accumulator) in accumulators.iter_mut().enumerate() {
                    let mut sums = rows[shape.bias_row()];
                    features.of_side(side).for_each(|feature| add(&mut sums, &rows[feature]));
                    *accumulator = sums;
                    let weights = &rows[shape.output_row(features.bucket(), side)];
                    *output += dot(&sums.map(activation), weights);
                }
            }
        }
    }

    /// Adds the gradient of the positions of the last [`Self::forward`] with the same parameters:
    /// each slope is the derivative of the error with respect to the output for a position.
    pub fn backward(&self, values: &[f32], slopes: &[f32], gradient: &mut [f32]) {
        if self.shape.tile_width() == TILE_WIDTHS[0] {
            self.backward_tiles::<{ TILE_WIDTHS[0] }>(values, slopes, gradient);
        } else {
            self.backward_tiles::<{ TILE_WIDTHS[1] }>(values, slopes, gradient);
        }
        let biases = &mut gradient[self.shape.output_biases()];
        for (features, slope) in self.features.iter().zip(slopes) {
            biases[features.bucket()] += slope;
        }
    }

    /// [`Self::backward`] but for the output biases.
    fn backward_tiles<const N: usize>(&self, values: &[f32], slopes: &[f32], gradient: &mut [f32]) {
        let Self { shape, features, accumulators, .. } = self;
        let accumulators = accumulators.as_chunks::<N>().0.as_chunks::<2>().0;
        let tiles = shape.tiles(values).zip(shape.tiles_mut(gradient));
        for ((tile, gradient), accumulators) in tiles.zip(accumulators.chunks_exact(POSITIONS)) {
            let (rows, gradient) = (tile.as_chunks::<N>().0, gradient.as_chunks_mut::<N>().0);
            for ((features, accumulators), &slope) in features.iter().zip(accumulators).zip(slopes)
            {
                for (side, sums) in accumulators.iter().enumerate() {
                    let output_row = shape.output_row(features.bucket(), side);
                    let of_activation = |value| slope * activation(value);
                    add(&mut gradient[output_row], &sums.map(of_activation));
                    // The derivatives with respect to the numbers of the accumulator.
                    let mut changes = rows[output_row];
                    for (change, &sum) in changes.iter_mut().zip(sums) {
                        *change = slope * *change * derivative(sum);
                    }
                    add(&mut gradient[shape.bias_row()], &changes);
                    for feature in features.of_side(side) {
                        add(&mut gradient[feature], &changes);
                    }
                }
            }
        }
    }
}

/// SCReLU: the square of a number cut off at 0 and 1.
#[inline]
pub(super) fn activation(value: f32) -> f32 {
    let cut = value.clamp(0.0, 1.0);
    cut * cut
}

/// The derivative of [`activation`].
#[inline]
pub(super) fn derivative(value: f32) -> f32 {
    if value > 0.0 && value < 1.0 { 2.0 * value } else { 0.0 }
}
