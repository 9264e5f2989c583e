//! The inner loops. They are written so that the compiler makes vector instructions of them on
//! every processor; what they compute does not depend on which.

use super::architecture::QA;

/// `target = source - removed + added`, where every slice is a row of the same width.
///
/// The result is the accumulator of a board and fits an `i16`
/// ([`MAX_FEATURE_WEIGHT`](super::parameters::MAX_FEATURE_WEIGHT)); intermediate sums may wrap.
#[inline]
pub(super) fn update<const R: usize, const A: usize>(
    target: &mut [Block],
    source: &[Block],
    removed: [&[Block]; R],
    added: [&[Block]; A],
) {
    let width = target.len();
    let source = &source[..width];
    let (removed, added) = (removed.map(|row| &row[..width]), added.map(|row| &row[..width]));
    for (index, to) in target.iter_mut().enumerate() {
        let mut sums = source[index];
        for row in removed {
            subtract(&mut sums, &row[index]);
        }
        for row in added {
            add(&mut sums, &row[index]);
        }
        *to = sums;
    }
}

/// Adds a row.
pub(super) fn add_row(target: &mut [Block], row: &[Block]) {
    target.iter_mut().zip(row).for_each(|(sums, weights)| add(sums, weights));
}

/// Subtracts a row.
pub(super) fn subtract_row(target: &mut [Block], row: &[Block]) {
    target.iter_mut().zip(row).for_each(|(sums, weights)| subtract(sums, weights));
}

#[inline]
fn add(sums: &mut Block, weights: &Block) {
    for (sum, weight) in sums.0.iter_mut().zip(weights.0) {
        *sum = sum.wrapping_add(weight);
    }
}

#[inline]
fn subtract(sums: &mut Block, weights: &Block) {
    for (sum, weight) in sums.0.iter_mut().zip(weights.0) {
        *sum = sum.wrapping_sub(weight);
    }
}

/// The sum of the activations of two accumulators, each times its output weight, in units of
/// 1 / (QA * QA * QB). All four slices have the same length.
///
/// The activation is the square of the value between 0 and 1 (SCReLU). Value times weight fits
/// 16 bits, so that is computed first, and then times value (source: the engine Lizard).
///
/// All is added to a single sum, and a pass takes a block of either accumulator: from this the
/// compiler makes multiply-and-add instructions of full vectors (`vpmaddwd`). With a sum a lane,
/// or one block a pass and a processor for which the compiler unrolls loops, it extends both
/// factors to 32 bits first, which takes twice the instructions.
#[inline]
pub(super) fn activated_sum(accumulators: [&[Block]; 2], weights: [&[Block]; 2]) -> i32 {
    let [own, other] = accumulators;
    let [own_weights, other_weights] = weights;
    let mut sum = 0;
    for ((own, own_weights), (other, other_weights)) in
        own.iter().zip(own_weights).zip(other.iter().zip(other_weights))
    {
        let (own, own_products) = activate(own, own_weights);
        let (other, other_products) = activate(other, other_weights);
        for lane in 0..LANES {
            sum += i32::from(own.0[lane]) * i32::from(own_products.0[lane])
                + i32::from(other.0[lane]) * i32::from(other_products.0[lane]);
        }
    }
    sum
}

/// The values between 0 and 1, in units of 1 / QA, and each times its weight.
#[inline]
fn activate(values: &Block, weights: &Block) -> (Block, Block) {
    let (mut values, mut products) = (*values, *weights);
    for (value, product) in values.0.iter_mut().zip(&mut products.0) {
        *value = (*value).clamp(0, QA as i16);
        *product *= *value;
    }
    (values, products)
}

/// Numbers in a block.
pub(super) const LANES: usize = 32;

/// 32 numbers at an address that no load of a vector splits over two cache lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub(super) struct Block(pub(super) [i16; LANES]);

/// Numbers as blocks; what does not fill a block is left out.
pub(super) fn blocks(numbers: &[i16]) -> Box<[Block]> {
    numbers.as_chunks().0.iter().map(|&chunk| Block(chunk)).collect()
}

/// The numbers of blocks.
pub(super) fn numbers(blocks: &[Block]) -> impl Iterator<Item = i16> + '_ {
    blocks.iter().flat_map(|block| block.0)
}
