//! The inner loops. They are written so that the compiler makes vector instructions of them on
//! every processor; what they compute does not depend on which.

use super::architecture::QA;
use super::block::{Block, LANES};

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

/// The sum of the activations of an accumulator, each times its output weight, in units of
/// 1 / (QA * QA * QB).
///
/// The activation is the square of the value between 0 and 1 (SCReLU). Value times weight fits
/// 16 bits, so that is computed first, and then times value (source: the engine Lizard).
#[inline]
pub(super) fn activated_sum(accumulator: &[Block], weights: &[Block]) -> i32 {
    let mut sums = [0; LANES];
    for (values, weights) in accumulator.iter().zip(weights) {
        for ((sum, &value), &weight) in sums.iter_mut().zip(&values.0).zip(&weights.0) {
            let value = value.clamp(0, QA as i16);
            *sum += i32::from(value * weight) * i32::from(value);
        }
    }
    sums.iter().sum()
}
