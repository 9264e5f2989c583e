//! The parameters of a network, and which of them its arithmetic can bear.

use super::architecture::{BUCKETS, FEATURES, KING_BUCKETS, QA, WIDTH_STEP, WIDTHS};
use super::kernels::{Block, LANES, blocks, numbers};

/// The greatest weight or bias of the feature transformer, in units of 1 / [`QA`]: no sum of a
/// bias and the weights of 32 pieces leaves an `i16`.
pub const MAX_FEATURE_WEIGHT: i16 = i16::MAX / 33;

/// The greatest output weight, in units of 1 / [`QB`](super::QB): its product with an activation
/// fits an `i16`.
pub const MAX_OUTPUT_WEIGHT: i16 = 127;

/// The greatest output bias, in units of 1 / (QA * QB): an output of 64.
pub const MAX_OUTPUT_BIAS: i32 = 1 << 20;

/// The longest description, in bytes.
pub const MAX_DESCRIPTION: usize = 256;

/// What the output weights of one sign may add up to in a bucket, so that no order of adding
/// the products overflows an `i32`.
const MAX_OUTPUT_SUM: i32 = i32::MAX / (QA * QA);

/// The numbers of a network, as training makes them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parameters {
    /// Where the network comes from, for people: at most [`MAX_DESCRIPTION`] bytes.
    pub description: String,
    /// Weights of the feature transformer, `[king bucket][feature][neuron]`, in units of 1 / QA.
    /// Their number says how many king buckets there are.
    pub feature_weights: Vec<i16>,
    /// Biases of the feature transformer, `[neuron]`, in units of 1 / QA.
    pub feature_biases: Vec<i16>,
    /// Output weights, `[bucket][perspective][neuron]`, the side to move first, in units of
    /// 1 / QB.
    pub output_weights: Vec<i16>,
    /// Output biases, `[bucket]`, in units of 1 / (QA * QB).
    pub output_biases: Vec<i32>,
}

/// Why numbers make no network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParametersError {
    /// The number of neurons of the hidden layer is not supported.
    #[error("its width is {width}, not a multiple of {WIDTH_STEP} up to {max}", max = WIDTHS.end())]
    Width {
        /// The number of biases.
        width: usize,
    },
    /// The number of output buckets is not supported.
    #[error("it has {buckets} output buckets, not 1 or 8")]
    Buckets {
        /// The number of output biases.
        buckets: usize,
    },
    /// The number of king buckets is not supported.
    #[error("it has {king_buckets} king buckets, not 1 or 4")]
    KingBuckets {
        /// Their number.
        king_buckets: usize,
    },
    /// The numbers of a layer are too few or too many.
    #[error("it has {found} {layer} weights, not {expected}")]
    Count {
        /// The layer.
        layer: &'static str,
        /// How many there are.
        found: usize,
        /// How many there have to be.
        expected: usize,
    },
    /// A number is too large.
    #[error("a {what} of {value} is out of range, it may be {limit} at most")]
    Range {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: i32,
        /// The greatest one, of either sign.
        limit: i32,
    },
    /// The output weights of a bucket are too large as a whole.
    #[error("the output weights of bucket {bucket} are so large that their sum could overflow")]
    Overflow {
        /// The bucket, from 0.
        bucket: usize,
    },
    /// The description is too long.
    #[error("its description has {bytes} bytes, more than {MAX_DESCRIPTION}")]
    Description {
        /// Its length.
        bytes: usize,
    },
}

/// A network: immutable, with nothing in it that could make its arithmetic overflow.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    description: String,
    /// Blocks of a row: the width is 32 times as large.
    row: usize,
    king_buckets: usize,
    feature_weights: Box<[Block]>,
    feature_biases: Box<[Block]>,
    output_weights: Box<[Block]>,
    output_biases: Box<[i32]>,
}

impl Network {
    /// The network with these parameters.
    ///
    /// # Errors
    /// If their numbers fit no architecture, or are so large that the arithmetic could overflow.
    pub fn from_parameters(parameters: Parameters) -> Result<Self, ParametersError> {
        check_shape(&parameters)?;
        check_ranges(&parameters)?;
        let width = parameters.feature_biases.len();
        for (bucket, weights) in parameters.output_weights.chunks_exact(2 * width).enumerate() {
            check_sum(bucket, weights)?;
        }
        Ok(Self {
            description: parameters.description,
            row: width / LANES,
            king_buckets: parameters.feature_weights.len() / (FEATURES * width),
            feature_weights: blocks(&parameters.feature_weights),
            feature_biases: blocks(&parameters.feature_biases),
            output_weights: blocks(&parameters.output_weights),
            output_biases: parameters.output_biases.into(),
        })
    }

    /// The parameters of the network.
    pub fn parameters(&self) -> Parameters {
        Parameters {
            description: self.description.clone(),
            feature_weights: numbers(&self.feature_weights).collect(),
            feature_biases: numbers(&self.feature_biases).collect(),
            output_weights: numbers(&self.output_weights).collect(),
            output_biases: self.output_biases.to_vec(),
        }
    }

    /// Where the network comes from, for people.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The neurons of the hidden layer, of each perspective.
    pub const fn width(&self) -> usize {
        self.row * LANES
    }

    /// The number of output buckets.
    pub const fn buckets(&self) -> usize {
        self.output_biases.len()
    }

    /// The number of king buckets.
    pub const fn king_buckets(&self) -> usize {
        self.king_buckets
    }

    /// The weights of the features in a king bucket.
    #[inline]
    pub(super) fn feature_rows(&self, king_bucket: usize) -> FeatureRows<'_> {
        let weights = &self.feature_weights[king_bucket * FEATURES * self.row..];
        FeatureRows { weights, row: self.row }
    }

    /// The accumulator of an empty board.
    pub(super) fn feature_biases(&self) -> &[Block] {
        &self.feature_biases
    }

    /// The output weights of a bucket: those of the side to move and those of the other side.
    pub(super) fn output_rows(&self, bucket: usize) -> (&[Block], &[Block]) {
        self.output_weights[bucket * 2 * self.row..][..2 * self.row].split_at(self.row)
    }

    /// The output bias of a bucket.
    pub(super) fn output_bias(&self, bucket: usize) -> i32 {
        self.output_biases[bucket]
    }
}

/// The weights of the features in a king bucket.
#[derive(Clone, Copy)]
pub(super) struct FeatureRows<'a> {
    /// Those of the other king buckets follow.
    weights: &'a [Block],
    row: usize,
}

impl<'a> FeatureRows<'a> {
    /// The weights of a feature, one a neuron.
    pub(super) fn of(self, feature: usize) -> &'a [Block] {
        &self.weights[feature * self.row..][..self.row]
    }
}

/// Checks that the width and the number of output buckets are supported.
///
/// # Errors
/// Which of them is not.
pub fn check_architecture(width: usize, buckets: usize) -> Result<(), ParametersError> {
    if !WIDTHS.contains(&width) || !width.is_multiple_of(WIDTH_STEP) {
        return Err(ParametersError::Width { width });
    }
    if !BUCKETS.contains(&buckets) {
        return Err(ParametersError::Buckets { buckets });
    }
    Ok(())
}

/// Checks how many numbers there are of each kind.
fn check_shape(parameters: &Parameters) -> Result<(), ParametersError> {
    let (width, buckets) = (parameters.feature_biases.len(), parameters.output_biases.len());
    check_architecture(width, buckets)?;
    let bytes = parameters.description.len();
    if bytes > MAX_DESCRIPTION {
        return Err(ParametersError::Description { bytes });
    }
    let features = parameters.feature_weights.len();
    let of_king_buckets = KING_BUCKETS.map(|king_buckets| king_buckets * FEATURES * width);
    let expected = of_king_buckets.into_iter().find(|&count| count == features);
    let layers = [
        ("feature", features, expected.unwrap_or(of_king_buckets[0])),
        ("output", parameters.output_weights.len(), buckets * 2 * width),
    ];
    match layers.into_iter().find(|(_, found, expected)| found != expected) {
        Some((layer, found, expected)) => Err(ParametersError::Count { layer, found, expected }),
        None => Ok(()),
    }
}

/// Checks that no number is too large by itself.
fn check_ranges(parameters: &Parameters) -> Result<(), ParametersError> {
    let wide = |numbers: &[i16], limit: i16| {
        let beyond = |number: &&i16| number.unsigned_abs() > limit.unsigned_abs();
        numbers.iter().find(beyond).map(|&value| (i32::from(value), i32::from(limit)))
    };
    let bias = parameters.output_biases.iter().copied();
    let bias = bias.map(|value| (value, MAX_OUTPUT_BIAS));
    let found = [
        ("feature weight", wide(&parameters.feature_weights, MAX_FEATURE_WEIGHT)),
        ("feature bias", wide(&parameters.feature_biases, MAX_FEATURE_WEIGHT)),
        ("output weight", wide(&parameters.output_weights, MAX_OUTPUT_WEIGHT)),
        (
            "output bias",
            bias.into_iter().find(|(value, limit)| value.unsigned_abs() > limit.unsigned_abs()),
        ),
    ];
    match found.into_iter().find_map(|(what, found)| Some((what, found?))) {
        Some((what, (value, limit))) => Err(ParametersError::Range { what, value, limit }),
        None => Ok(()),
    }
}

/// Checks that the sum of a bucket's products fits an `i32` in whatever order it is added up.
fn check_sum(bucket: usize, weights: &[i16]) -> Result<(), ParametersError> {
    let sum_of = |sign: i32| -> i32 {
        weights.iter().map(|&weight| (sign * i32::from(weight)).max(0)).sum()
    };
    if sum_of(1).max(sum_of(-1)) > MAX_OUTPUT_SUM {
        return Err(ParametersError::Overflow { bucket });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{
        FEATURES, MAX_FEATURE_WEIGHT, MAX_OUTPUT_WEIGHT, Network, Parameters, ParametersError,
    };

    fn zeros(width: usize, buckets: usize) -> Parameters {
        Parameters {
            description: "zeros".to_owned(),
            feature_weights: vec![0; FEATURES * width],
            feature_biases: vec![0; width],
            output_weights: vec![0; buckets * 2 * width],
            output_biases: vec![0; buckets],
        }
    }

    fn refused(change: impl FnOnce(&mut Parameters)) -> ParametersError {
        let mut parameters = zeros(32, 8);
        change(&mut parameters);
        Network::from_parameters(parameters).unwrap_err()
    }

    #[test]
    fn other_shapes_are_refused() {
        for width in [0, 31, 33, 1056] {
            let error = Network::from_parameters(zeros(width, 1)).unwrap_err();
            assert_eq!(error, ParametersError::Width { width });
        }
        for buckets in [0, 2, 9] {
            let error = Network::from_parameters(zeros(32, buckets)).unwrap_err();
            assert_eq!(error, ParametersError::Buckets { buckets });
        }
        let error = refused(|all| all.feature_weights.truncate(5));
        assert!(matches!(error, ParametersError::Count { layer: "feature", found: 5, .. }));
        for king_buckets in [2, 3, 5] {
            let count = king_buckets * FEATURES * 32;
            let error = refused(|all| all.feature_weights.resize(count, 0));
            assert!(matches!(error, ParametersError::Count { layer: "feature", .. }), "{error}");
        }
        let error = refused(|all| all.output_weights.push(0));
        assert!(matches!(error, ParametersError::Count { layer: "output", found: 513, .. }));
        let error = refused(|all| all.description = "x".repeat(257));
        assert_eq!(error, ParametersError::Description { bytes: 257 });
    }

    #[test]
    fn numbers_that_could_overflow_are_refused() {
        let error = refused(|all| all.feature_weights[9] = i16::MIN);
        assert!(matches!(error, ParametersError::Range { what: "feature weight", .. }), "{error}");
        let error = refused(|all| all.feature_biases[9] = MAX_FEATURE_WEIGHT + 1);
        assert!(matches!(error, ParametersError::Range { what: "feature bias", .. }), "{error}");
        let error = refused(|all| all.output_weights[9] = -128);
        assert!(matches!(error, ParametersError::Range { what: "output weight", .. }), "{error}");
        let error = refused(|all| all.output_biases[7] = i32::MIN);
        assert!(matches!(error, ParametersError::Range { what: "output bias", .. }), "{error}");
    }

    #[test]
    fn output_weights_that_could_overflow_together_are_refused() {
        let with = |weights: usize| {
            let mut parameters = zeros(256, 1);
            parameters.output_weights[..weights].fill(-MAX_OUTPUT_WEIGHT);
            Network::from_parameters(parameters)
        };
        // 260 * 127 * 255 * 255 still fits an i32.
        assert!(with(260).is_ok());
        assert_eq!(with(261), Err(ParametersError::Overflow { bucket: 0 }));
    }
}
