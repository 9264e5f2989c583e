//! The inner loops. They are written so that the compiler makes vector instructions of them on
//! every processor; what they compute does not depend on which.

use super::architecture::QA;
use super::block::{Block, LANES};

/// `target = source - removed + added`, where every slice is a row of the same width.
///
/// What is taken away and added last leaves nothing beyond an `i16`; on the way the sums may wrap.
pub(super) fn update(
    target: &mut [Block],
    source: &[Block],
    removed: &[&[Block]],
    added: &[&[Block]],
) {
    match (removed, added) {
        // A move that takes nothing, and one that does.
        (&[old], &[new]) => {
            for (((to, from), old), new) in target.iter_mut().zip(source).zip(old).zip(new) {
                *to = add(subtract(*from, old), new);
            }
        }
        (&[old, taken], &[new]) => {
            let rows = target.iter_mut().zip(source).zip(old).zip(taken).zip(new);
            for ((((to, from), old), taken), new) in rows {
                *to = add(subtract(subtract(*from, old), taken), new);
            }
        }
        _ => {
            target.copy_from_slice(source);
            for row in removed {
                target.iter_mut().zip(*row).for_each(|(to, row)| *to = subtract(*to, row));
            }
            for row in added {
                target.iter_mut().zip(*row).for_each(|(to, row)| *to = add(*to, row));
            }
        }
    }
}

#[inline]
fn add(mut block: Block, row: &Block) -> Block {
    for (sum, weight) in block.0.iter_mut().zip(row.0) {
        *sum = sum.wrapping_add(weight);
    }
    block
}

#[inline]
fn subtract(mut block: Block, row: &Block) -> Block {
    for (sum, weight) in block.0.iter_mut().zip(row.0) {
        *sum = sum.wrapping_sub(weight);
    }
    block
}

/// The sum of the activations of an accumulator, each times its output weight, in units of
/// 1 / (QA * QA * QB).
///
/// The activation is the square of the value between 0 and 1 (SCReLU). Its product with the
/// weight is built up in an order in which 16 bits suffice for the first factor: value times
/// weight, times value (source: the "Lizard" engine, by way of the chess programming wiki).
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
