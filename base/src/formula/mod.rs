//! The arithmetic of the search: pure functions of numbers, tested by table.

pub mod bonuses;
pub mod margins;
pub mod reductions;

/// A value times a weight in 1/128, rounded down.
#[inline]
pub fn weighted(weight: i32, value: i32) -> i32 {
    (weight * value) >> 7
}
