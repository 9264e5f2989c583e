//! The network with real numbers, as it is trained.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_eval::network::{
    BUCKETS, FEATURES, Network, Parameters, ParametersError, QA, QB, WIDTH_STEP, WIDTHS,
};

use super::values::Values;

/// No parameter gets further from zero: what the integers of [`Network`] can hold.
pub(super) const MAX_PARAMETER: f32 = 1.98;

/// About how many features a perspective sees, for the size of the first weights.
const TYPICAL_FEATURES: f32 = 32.0;

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Shape {
    /// Neurons of a perspective.
    pub width: usize,
    /// Output buckets.
    pub buckets: usize,
}

/// The parts of a list of all parameters. Gradients and moments are lists of the same kind.
#[derive(Clone, Copy)]
pub(super) struct Parts<'a> {
    /// `[feature][neuron]`
    pub feature_weights: &'a [f32],
    /// `[neuron]`
    pub feature_biases: &'a [f32],
    /// `[bucket][perspective][neuron]`, the side to move first
    pub output_weights: &'a [f32],
    /// `[bucket]`
    pub output_biases: &'a [f32],
}

/// The parts of a list to be changed.
pub(super) struct PartsMut<'a> {
    /// `[feature][neuron]`
    pub feature_weights: &'a mut [f32],
    /// `[neuron]`
    pub feature_biases: &'a mut [f32],
    /// `[bucket][perspective][neuron]`, the side to move first
    pub output_weights: &'a mut [f32],
    /// `[bucket]`
    pub output_biases: &'a mut [f32],
}

impl Shape {
    /// A shape that a network may have.
    pub fn new(width: usize, buckets: usize) -> Result<Self, ParametersError> {
        if !WIDTHS.contains(&width) || !width.is_multiple_of(WIDTH_STEP) {
            return Err(ParametersError::Width { width });
        }
        if !BUCKETS.contains(&buckets) {
            return Err(ParametersError::Buckets { buckets });
        }
        Ok(Self { width, buckets })
    }

    /// The number of all parameters.
    pub const fn length(self) -> usize {
        self.width * (FEATURES + 1 + 2 * self.buckets) + self.buckets
    }

    /// The parts of a list.
    pub fn parts(self, values: &[f32]) -> Parts<'_> {
        let (feature_weights, rest) = values.split_at(FEATURES * self.width);
        let (feature_biases, rest) = rest.split_at(self.width);
        let (output_weights, output_biases) = rest.split_at(2 * self.buckets * self.width);
        Parts { feature_weights, feature_biases, output_weights, output_biases }
    }

    /// The parts of a list to be changed.
    pub fn parts_mut(self, values: &mut [f32]) -> PartsMut<'_> {
        let (feature_weights, rest) = values.split_at_mut(FEATURES * self.width);
        let (feature_biases, rest) = rest.split_at_mut(self.width);
        let (output_weights, output_biases) = rest.split_at_mut(2 * self.buckets * self.width);
        PartsMut { feature_weights, feature_biases, output_weights, output_biases }
    }

    /// Random parameters to begin with: even between bounds that give sums of about the same size
    /// in both layers, biases zero.
    pub fn random(self, seed: u64) -> Values {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut values = Values::zeros(self.length());
        let parts = self.parts_mut(&mut values);
        let mut fill = |part: &mut [f32], inputs: f32| {
            let limit = inputs.sqrt().recip();
            part.iter_mut().for_each(|value| *value = random.random_range(-limit..limit));
        };
        fill(parts.feature_weights, TYPICAL_FEATURES);
        fill(parts.output_weights, 2.0 * self.width as f32);
        values
    }

    /// The shape and parameters of a network of integers.
    pub fn of_network(network: &Network) -> (Self, Values) {
        let Parameters { feature_weights, feature_biases, output_weights, output_biases, .. } =
            network.parameters();
        let shape = Self { width: feature_biases.len(), buckets: output_biases.len() };
        let layer = |integers: &[i16], one: i32| -> Vec<f32> {
            integers.iter().map(|&value| f32::from(value) / one as f32).collect()
        };
        let layers = [
            layer(&feature_weights, QA),
            layer(&feature_biases, QA),
            layer(&output_weights, QB),
            output_biases.iter().map(|&bias| bias as f32 / (QA * QB) as f32).collect(),
        ];
        (shape, layers.concat().into())
    }

    /// The network of integers nearest to these parameters.
    pub fn quantized(
        self,
        values: &[f32],
        description: String,
    ) -> Result<Network, ParametersError> {
        let parts = self.parts(values);
        let layer = |part: &[f32], one: i32| -> Vec<i16> {
            part.iter().map(|value| (value * one as f32).round() as i16).collect()
        };
        let bias = |value: &f32| (value * (QA * QB) as f32).round() as i32;
        Network::from_parameters(Parameters {
            description,
            feature_weights: layer(parts.feature_weights, QA),
            feature_biases: layer(parts.feature_biases, QA),
            output_weights: layer(parts.output_weights, QB),
            output_biases: parts.output_biases.iter().map(bias).collect(),
        })
    }
}
