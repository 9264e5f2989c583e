//! One position through the network and back.

use tamarin_eval::network::{Orientation, bucket};
use tamarin_movegen::Color;

use super::model::{Parts, PartsMut, Shape};
use super::record::Record;
use super::values::{Values, add, dot};

/// The features of a position: those that the side to move sees, and those of the other side.
struct Features {
    sides: [[u16; 32]; 2],
    count: usize,
}

impl Features {
    fn new(record: &Record) -> Self {
        let kings = record.kings();
        let orientations = Color::ALL.map(|color| Orientation::new(color, kings[color.index()]));
        let mut features = Self { sides: [[0; 32]; 2], count: 0 };
        for (color, kind, square) in record.pieces() {
            for (side, orientation) in features.sides.iter_mut().zip(orientations) {
                side[features.count] = orientation.feature(color, kind, square) as u16;
            }
            features.count += 1;
        }
        features
    }

    fn of_side(&self, side: usize) -> impl Iterator<Item = usize> + '_ {
        self.sides[side][..self.count].iter().map(|&feature| usize::from(feature))
    }
}

/// What a pass needs besides the parameters; reused from position to position.
pub(super) struct Pass {
    shape: Shape,
    features: Features,
    bucket: usize,
    /// Accumulators of the side to move and of the other side, one after the other.
    accumulators: Values,
    activations: Values,
    /// The derivative of the error with respect to each number of the accumulators.
    accumulator_gradients: Values,
}

impl Pass {
    /// For networks of this shape.
    pub fn new(shape: Shape) -> Self {
        let features = Features { sides: [[0; 32]; 2], count: 0 };
        let zeros = Values::zeros(2 * shape.width);
        let (activations, accumulator_gradients) = (zeros.clone(), zeros.clone());
        let accumulators = zeros;
        Self { shape, features, bucket: 0, accumulators, activations, accumulator_gradients }
    }

    /// The output of the network for a position: 1 / (1 + exp(-output)) points are expected.
    pub fn forward(&mut self, parts: &Parts<'_>, record: &Record) -> f32 {
        let width = self.shape.width;
        self.features = Features::new(record);
        self.bucket = bucket(record.piece_count(), self.shape.buckets);
        for (side, accumulator) in self.accumulators.chunks_exact_mut(width).enumerate() {
            accumulator.copy_from_slice(parts.feature_biases);
            for feature in self.features.of_side(side) {
                add(accumulator, &parts.feature_weights[feature * width..][..width]);
            }
        }
        let values = self.activations.iter_mut().zip(&*self.accumulators);
        values.for_each(|(value, &sum)| *value = activation(sum));
        let weights = &parts.output_weights[2 * width * self.bucket..][..2 * width];
        dot(&self.activations, weights) + parts.output_biases[self.bucket]
    }

    /// Adds the gradient of the position of the last [`Self::forward`]: `output_gradient` is the
    /// derivative of the error with respect to its output.
    pub fn backward(
        &mut self,
        parts: &Parts<'_>,
        output_gradient: f32,
        gradient: &mut PartsMut<'_>,
    ) {
        let width = self.shape.width;
        let output = 2 * width * self.bucket..2 * width * (self.bucket + 1);
        gradient.output_biases[self.bucket] += output_gradient;
        let sums = gradient.output_weights[output.clone()].iter_mut();
        sums.zip(&*self.activations).for_each(|(sum, value)| *sum += output_gradient * value);
        let weights = parts.output_weights[output].iter().zip(&*self.accumulators);
        for (to, (weight, &sum)) in self.accumulator_gradients.iter_mut().zip(weights) {
            *to = output_gradient * weight * derivative(sum);
        }
        for (side, gradients) in self.accumulator_gradients.chunks_exact(width).enumerate() {
            add(gradient.feature_biases, gradients);
            for feature in self.features.of_side(side) {
                add(&mut gradient.feature_weights[feature * width..][..width], gradients);
            }
        }
    }
}

/// SCReLU: the square of a number cut off at 0 and 1.
#[inline]
fn activation(value: f32) -> f32 {
    let cut = value.clamp(0.0, 1.0);
    cut * cut
}

/// The derivative of [`activation`].
#[inline]
fn derivative(value: f32) -> f32 {
    if value > 0.0 && value < 1.0 { 2.0 * value } else { 0.0 }
}
