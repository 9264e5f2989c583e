//! The network with real numbers, as it is trained, and the lists that hold its parameters.

use core::ops::{Deref, DerefMut, Range};

use bytemuck::{Pod, Zeroable};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_eval::network::{
    FEATURES, KING_BUCKETS, Network, Parameters, ParametersError, QA, QB, check_architecture,
};

/// No parameter gets further from zero: what the integers of [`Network`] can hold.
pub const MAX_PARAMETER: f32 = 1.98;

/// The first weights of features are between this and its negative. Those of features that are
/// hardly ever seen stay what they are: small, so that they are no noise.
const FIRST_FEATURE_WEIGHT: f32 = 0.05;

/// Neurons of a tile; the second one for widths of which the first is no divisor.
pub const TILE_WIDTHS: [usize; 2] = [64, 32];

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shape {
    /// Neurons of a perspective.
    pub width: usize,
    pub buckets: usize,
    pub king_buckets: usize,
}

impl Shape {
    pub fn new(width: usize, buckets: usize, king_buckets: usize) -> Result<Self, ParametersError> {
        check_architecture(width, buckets)?;
        if !KING_BUCKETS.contains(&king_buckets) {
            return Err(ParametersError::KingBuckets { king_buckets });
        }
        Ok(Self { width, buckets, king_buckets })
    }

    /// Neurons of a tile. The weights of a tile, or its gradient, fit into the second-level cache of
    /// a core together with what else a pass reads; those of a whole network do not.
    pub const fn tile_width(self) -> usize {
        if self.king_buckets == 1 && self.width.is_multiple_of(TILE_WIDTHS[0]) {
            TILE_WIDTHS[0]
        } else {
            TILE_WIDTHS[1]
        }
    }

    /// Features of all king buckets: `[king bucket][feature]`.
    const fn features(self) -> usize {
        self.king_buckets * FEATURES
    }

    /// Rows of a tile: one a feature, then [`Self::bias_row`], then those of [`Self::output_row`].
    const fn rows(self) -> usize {
        self.features() + 1 + 2 * self.buckets
    }

    /// The row of a tile with the biases.
    pub const fn bias_row(self) -> usize {
        self.features()
    }

    /// The row of a tile with the output weights of a bucket: `side` 0 is the side to move.
    pub const fn output_row(self, bucket: usize, side: usize) -> usize {
        self.features() + 1 + 2 * bucket + side
    }

    /// The number of all parameters: `[tile][row][neuron]`, then the output biases, `[bucket]`.
    pub const fn length(self) -> usize {
        self.width * self.rows() + self.buckets
    }

    /// The number of all parameters as they are trained: those of [`Self::length`], and behind them,
    /// if there are king buckets, the shared weights of the features, `[tile][feature][neuron]`.
    /// What a feature counts in a king bucket is the sum of both: so a bucket that is rarely seen
    /// learns from the others (source: the "factorizer" of nnue-pytorch).
    pub const fn trained_length(self) -> usize {
        let shared = if self.king_buckets == 1 { 0 } else { FEATURES * self.width };
        self.length() + shared
    }

    /// Calls `visit` with the weights of a tile in each king bucket and those that all share.
    fn for_each_bucket(
        self,
        (own, shared): (&mut [f32], &mut [f32]),
        mut visit: impl FnMut(&mut [f32], &mut [f32]),
    ) {
        let of_bucket = FEATURES * self.tile_width();
        for (tile, shared) in self.tiles_mut(own).zip(shared.chunks_exact_mut(of_bucket)) {
            for own in tile.chunks_exact_mut(of_bucket).take(self.king_buckets) {
                visit(own, shared);
            }
        }
    }

    /// The parameters of the network, of parameters as they are trained: what all king buckets share
    /// is added to each.
    pub fn unfold(self, trained: &[f32]) -> Values {
        let (own, shared) = trained.split_at(self.length());
        let (mut values, mut shared) = (Values::from(own.to_vec()), shared.to_vec());
        self.for_each_bucket((&mut values, &mut shared), |own, shared| {
            let sums = own.iter_mut().zip(shared);
            sums.for_each(|(own, shared)| {
                *own = (*own + *shared).clamp(-MAX_PARAMETER, MAX_PARAMETER);
            });
        });
        values
    }

    /// Parameters as they are trained that unfold to these: the shared weights are the means.
    pub fn fold(self, mut values: Values) -> Values {
        if self.king_buckets == 1 {
            return values;
        }
        let mut shared = vec![0.0; FEATURES * self.width];
        let share = (self.king_buckets as f32).recip();
        self.for_each_bucket((&mut values, &mut shared), |own, shared| {
            shared.iter_mut().zip(own).for_each(|(shared, own)| *shared += share * *own);
        });
        self.for_each_bucket((&mut values, &mut shared), |own, shared| {
            own.iter_mut().zip(shared).for_each(|(own, shared)| *own -= *shared);
        });
        [&*values, &*shared].concat().into()
    }

    /// Sets the gradient of the shared weights to the sum of those of all king buckets. `gradient` is
    /// not changed.
    pub fn share_gradient(self, gradient: &mut [f32], shared: &mut [f32]) {
        shared.fill(0.0);
        self.for_each_bucket((gradient, shared), |own, shared| add(shared, own));
    }

    /// The same network with king buckets, all alike.
    pub fn with_king_buckets(self, values: &[f32], king_buckets: usize) -> (Self, Values) {
        let shape = Self { king_buckets, ..self };
        let rows = self.to_rows(values);
        let (features, others) = rows.split_at(FEATURES * self.width);
        let rows = [&features.repeat(king_buckets), others].concat();
        (shape, shape.with_rows(&rows, &values[self.output_biases()]))
    }

    /// The tiles of a list of parameters, or of gradients.
    pub fn tiles(self, values: &[f32]) -> impl Iterator<Item = &[f32]> {
        values.chunks_exact(self.rows() * self.tile_width())
    }

    /// The tiles of a list to be changed.
    pub fn tiles_mut(self, values: &mut [f32]) -> impl Iterator<Item = &mut [f32]> {
        values.chunks_exact_mut(self.rows() * self.tile_width())
    }

    /// Where the output biases are in a list.
    pub const fn output_biases(self) -> Range<usize> {
        self.width * self.rows()..self.length()
    }

    /// The list of parameters with these rows, `[row][neuron]`, and output biases.
    pub fn with_rows(self, rows: &[f32], output_biases: &[f32]) -> Values {
        let mut values = Values::zeros(self.length());
        let tile_width = self.tile_width();
        for (tile, values) in self.tiles_mut(&mut values).enumerate() {
            let rows = rows.chunks_exact(self.width);
            for (to, row) in values.chunks_exact_mut(tile_width).zip(rows) {
                to.copy_from_slice(&row[tile * tile_width..][..tile_width]);
            }
        }
        values[self.output_biases()].copy_from_slice(output_biases);
        values
    }

    /// The rows of a list of parameters, `[row][neuron]`, without the output biases.
    pub fn to_rows(self, values: &[f32]) -> Vec<f32> {
        let mut rows = vec![0.0; self.width * self.rows()];
        let tile_width = self.tile_width();
        for (tile, values) in self.tiles(values).enumerate() {
            let rows = rows.chunks_exact_mut(self.width);
            for (row, from) in rows.zip(values.chunks_exact(tile_width)) {
                row[tile * tile_width..][..tile_width].copy_from_slice(from);
            }
        }
        rows
    }

    /// Random parameters to begin with, as they are trained: even between two bounds, biases zero.
    /// Those of output weights give sums of the size of an activation. All king buckets begin alike.
    pub fn random(self, seed: u64) -> Values {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        if self.king_buckets > 1 {
            let plain = Self { king_buckets: 1, ..self };
            let values = plain.random(seed);
            return self.fold(plain.with_king_buckets(&values, self.king_buckets).1);
        }
        let mut rows = vec![0.0; self.width * self.rows()];
        let mut fill = |part: &mut [f32], limit: f32| {
            part.iter_mut().for_each(|value| *value = random.random_range(-limit..limit));
        };
        let (feature_weights, others) = rows.split_at_mut(FEATURES * self.width);
        fill(feature_weights, FIRST_FEATURE_WEIGHT);
        fill(&mut others[self.width..], (2.0 * self.width as f32).sqrt().recip());
        self.with_rows(&rows, &vec![0.0; self.buckets])
    }

    /// The shape and parameters of a network of integers.
    pub fn of_network(network: &Network) -> (Self, Values) {
        let Parameters { feature_weights, feature_biases, output_weights, output_biases, .. } =
            network.parameters();
        let (width, buckets) = (feature_biases.len(), output_biases.len());
        let shape = Self { width, buckets, king_buckets: network.king_buckets() };
        let layer = |integers: &[i16], one: i32| -> Vec<f32> {
            integers.iter().map(|&value| f32::from(value) / one as f32).collect()
        };
        let rows =
            [layer(&feature_weights, QA), layer(&feature_biases, QA), layer(&output_weights, QB)];
        let bias = |&bias| bias as f32 / (QA * QB) as f32;
        let output_biases: Vec<f32> = output_biases.iter().map(bias).collect();
        (shape, shape.with_rows(&rows.concat(), &output_biases))
    }

    /// The network of integers nearest to these parameters.
    pub fn quantized(
        self,
        values: &[f32],
        description: String,
    ) -> Result<Network, ParametersError> {
        let rows = self.to_rows(values);
        let (feature_weights, others) = rows.split_at(self.features() * self.width);
        let (feature_biases, output_weights) = others.split_at(self.width);
        let layer = |part: &[f32], one: i32| -> Vec<i16> {
            part.iter().map(|value| (value * one as f32).round() as i16).collect()
        };
        let bias = |value: &f32| (value * (QA * QB) as f32).round() as i32;
        Network::from_parameters(Parameters {
            description,
            feature_weights: layer(feature_weights, QA),
            feature_biases: layer(feature_biases, QA),
            output_weights: layer(output_weights, QB),
            output_biases: values[self.output_biases()].iter().map(bias).collect(),
        })
    }
}

/// Numbers of a cache line: rows are multiples of it.
pub const LANES: usize = 16;

/// A cache line of numbers.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([f32; LANES]);

/// A list of numbers: parameters, or a gradient or moment of each.
#[derive(Clone, Default, Debug, Serialize, Deserialize)]
#[serde(from = "Vec<f32>", into = "Vec<f32>")]
pub struct Values {
    lines: Vec<Line>,
    length: usize,
}

impl Values {
    pub fn zeros(length: usize) -> Self {
        Self { lines: vec![Line([0.0; LANES]); length.div_ceil(LANES)], length }
    }
}

impl Deref for Values {
    type Target = [f32];

    fn deref(&self) -> &[f32] {
        &bytemuck::cast_slice(&self.lines)[..self.length]
    }
}

impl DerefMut for Values {
    fn deref_mut(&mut self) -> &mut [f32] {
        &mut bytemuck::cast_slice_mut(&mut self.lines)[..self.length]
    }
}

impl From<Vec<f32>> for Values {
    fn from(numbers: Vec<f32>) -> Self {
        let mut values = Self::zeros(numbers.len());
        values.copy_from_slice(&numbers);
        values
    }
}

impl From<Values> for Vec<f32> {
    fn from(values: Values) -> Self {
        values.to_vec()
    }
}

impl PartialEq for Values {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

/// Adds to each number of a row the one beside it.
#[inline]
pub fn add(sums: &mut [f32], row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
}
