//! Lists of numbers whose rows begin where cache lines do, and the loops over rows.

use core::ops::{Deref, DerefMut};

use bytemuck::{Pod, Zeroable};
use serde::{Deserialize, Serialize};

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
