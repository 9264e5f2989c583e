//! Positions through the network and back, tile by tile: 64 neurons for all positions of a pass,
//! then the next 64.

use tamarin_eval::network::{FEATURES, Network, Orientation, UNITS_PER_LOGIT, bucket};
use tamarin_movegen::{Color, PieceKind, Square};

use super::model::{LANES, Shape, TILE_WIDTHS, Values, add};
use super::record::{Record, code_of, piece_of};
use crate::data::expected;
use crate::parallel::map_chunks;

/// Positions of a pass, at most. The more there are, the less often a tile has to be fetched; the
/// fewer, the nearer their accumulators stay (1 MB at width 256).
pub const POSITIONS: usize = 512;

/// What the network sees of a position.
#[derive(Clone, Copy)]
struct Features {
    /// The features that the side to move sees, and those of the other side.
    sides: [[u16; 32]; 2],
    count: u16,
    bucket: u16,
}

/// `[perspective][code]`: the feature of a piece with this code of a [`Record`] on a1, where the
/// board is not mirrored. White is the side to move. The feature of another square is the exclusive
/// or with its index.
const ON_A1: [[u16; 16]; 2] = {
    let mut features = [[0; 16]; 2];
    let mut perspective = 0;
    while perspective < 2 {
        let orientation = Orientation::new(Color::ALL[perspective], Square::A1);
        let mut code = 0;
        while code < 16 {
            if let Some((color, kind)) = piece_of(code) {
                let feature = orientation.feature(color, kind, Square::A1);
                features[perspective][code as usize] = feature as u16;
            }
            code += 1;
        }
        perspective += 1;
    }
    features
};

impl Features {
    fn new(record: &Record, shape: Shape) -> Self {
        let count = record.piece_count();
        let (codes, squares) = record.codes_and_squares();
        let mut sides = [[0; 32]; 2];
        for (perspective, side) in sides.iter_mut().enumerate() {
            let color = Color::ALL[perspective];
            let king = king_square(&codes, &squares, color);
            let orientation = Orientation::new(color, king);
            let flip = if orientation.is_mirrored() { 7 } else { 0 };
            let first = orientation.king_bucket(king, shape.king_buckets) * FEATURES;
            let on_a1 = &ON_A1[perspective];
            // All 32, whatever the count: without a branch.
            for ((feature, code), square) in side.iter_mut().zip(codes).zip(squares) {
                *feature =
                    first as u16 + (on_a1[usize::from(code & 15)] ^ u16::from(square ^ flip));
            }
        }
        Self { sides, count: count as u16, bucket: bucket(count, shape.buckets) as u16 }
    }

    fn of_side(&self, side: usize) -> impl Iterator<Item = usize> + '_ {
        self.sides[side][..usize::from(self.count)].iter().map(|&feature| usize::from(feature))
    }

    fn bucket(&self) -> usize {
        usize::from(self.bucket)
    }
}

fn king_square(codes: &[u8; 32], squares: &[u8; 32], color: Color) -> Square {
    let king = code_of(color, PieceKind::King);
    let index =
        codes.iter().zip(squares).map(|(&code, &square)| if code == king { square } else { 0 });
    Square::ALL[usize::from(index.fold(0, core::ops::BitOr::bitor) & 63)]
}

/// What passes need besides the parameters; reused from pass to pass.
pub struct Pass {
    shape: Shape,
    features: Vec<Features>,
    /// `[tile][position][side][neuron]`, the side to move first.
    accumulators: Values,
    /// `[position]`: sums of products of activations and output weights, every 16th of them each.
    lanes: Vec<[f32; LANES]>,
    outputs: Vec<f32>,
}

impl Pass {
    pub fn new(shape: Shape) -> Self {
        let accumulators = Values::zeros(2 * shape.width * POSITIONS);
        let (features, lanes, outputs) = (Vec::new(), Vec::new(), Vec::new());
        Self { shape, features, accumulators, lanes, outputs }
    }

    /// The outputs of the network for [`POSITIONS`] positions or fewer: 1 / (1 + exp(-output))
    /// points are expected.
    pub fn forward(&mut self, values: &[f32], records: &[Record]) -> &[f32] {
        assert!(records.len() <= POSITIONS, "too many positions for a pass");
        let shape = self.shape;
        self.features.clear();
        self.features.extend(records.iter().map(|record| Features::new(record, shape)));
        self.lanes.clear();
        self.lanes.resize(records.len(), [0.0; LANES]);
        if shape.tile_width() == TILE_WIDTHS[0] {
            self.forward_tiles::<{ TILE_WIDTHS[0] }>(values);
        } else {
            self.forward_tiles::<{ TILE_WIDTHS[1] }>(values);
        }
        let biases = &values[shape.output_biases()];
        let outputs = self.lanes.iter().zip(&self.features);
        self.outputs.clear();
        self.outputs.extend(
            outputs.map(|(lanes, features)| lanes.iter().sum::<f32>() + biases[features.bucket()]),
        );
        &self.outputs
    }

    /// [`Self::forward`] but for the output biases.
    fn forward_tiles<const N: usize>(&mut self, values: &[f32]) {
        let Self { shape, features, accumulators, lanes, .. } = self;
        let accumulators = accumulators.as_chunks_mut::<N>().0.as_chunks_mut::<2>().0;
        let accumulators = accumulators.chunks_exact_mut(POSITIONS);
        for (tile, accumulators) in shape.tiles(values).zip(accumulators) {
            let rows = tile.as_chunks::<N>().0;
            let positions = features.iter().zip(accumulators).zip(&mut *lanes);
            for ((features, accumulators), lanes) in positions {
                for (side, accumulator) in accumulators.iter_mut().enumerate() {
                    let mut sums = rows[shape.bias_row()];
                    features.of_side(side).for_each(|feature| add(&mut sums, &rows[feature]));
                    *accumulator = sums;
                    let weights = &rows[shape.output_row(features.bucket(), side)];
                    add_activated(lanes, &sums, weights);
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
                    let output_gradient = &mut gradient[output_row];
                    // The derivatives with respect to the numbers of the accumulator.
                    let mut changes = rows[output_row];
                    for neuron in 0..N {
                        output_gradient[neuron] += slope * activation(sums[neuron]);
                        changes[neuron] = slope * changes[neuron] * derivative(sums[neuron]);
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

/// Adds the products of the activations of `sums` and their weights to the sums of their lanes, in
/// an order that no processor changes.
#[inline(always)]
pub fn add_activated(lanes: &mut [f32; LANES], sums: &[f32], weights: &[f32]) {
    let mut totals = *lanes;
    for (sums, weights) in sums.as_chunks::<LANES>().0.iter().zip(weights.as_chunks::<LANES>().0) {
        for lane in 0..LANES {
            totals[lane] += activation(sums[lane]) * weights[lane];
        }
    }
    *lanes = totals;
}

/// SCReLU: the square of a number cut off at 0 and 1.
#[inline]
pub fn activation(value: f32) -> f32 {
    let cut = value.clamp(0.0, 1.0);
    cut * cut
}

#[inline]
pub fn derivative(value: f32) -> f32 {
    if value > 0.0 && value < 1.0 { 2.0 * value } else { 0.0 }
}

/// Texel's K per engine unit, which the output scale of the network fixes.
pub const K: f32 = 1.0 / UNITS_PER_LOGIT as f32;

/// What the network is to say of a position, in points: a share of `lambda` from
/// the game's result, the rest from the score.
pub fn target(record: &Record, lambda: f32) -> f32 {
    let by_score = expected(f32::from(record.score), K);
    let mixed = |points| lambda * points + (1.0 - lambda) * by_score;
    record.points().map_or(by_score, mixed)
}

/// The mean squared error of the results that `scores` expect, in engine units, the side to
/// move's view.
pub fn error(records: &[Record], scores: &[f32], lambda: f32) -> f64 {
    let squared = |(record, &score): (&Record, &f32)| {
        f64::from(expected(score, K) - target(record, lambda)).powi(2)
    };
    records.iter().zip(scores).map(squared).sum::<f64>() / records.len().max(1) as f64
}

/// What a network of real numbers says of positions, in engine units.
pub fn scores(shape: Shape, values: &[f32], records: &[Record], threads: usize) -> Vec<f32> {
    let chunks = map_chunks(records, threads, |chunk| -> Vec<f32> {
        let mut pass = Pass::new(shape);
        let mut scores = Vec::with_capacity(chunk.len());
        for records in chunk.chunks(POSITIONS) {
            let outputs = pass.forward(values, records).iter();
            scores.extend(outputs.map(|output| UNITS_PER_LOGIT as f32 * output));
        }
        scores
    });
    chunks.concat()
}

/// What a network of integers says of positions, in engine units.
pub fn quantized_scores(network: &Network, records: &[Record], threads: usize) -> Vec<f32> {
    let score = |record: &Record| {
        let position = record.position().expect("invariant: a record is made of a position");
        network.evaluate_from_scratch(position.board()) as f32
    };
    let chunks =
        map_chunks(records, threads, |chunk| -> Vec<f32> { chunk.iter().map(score).collect() });
    chunks.concat()
}
