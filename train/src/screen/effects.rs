//! The effects of changes by least squares.

use crate::matches::stats::QUANTILE;

/// What a change adds to the result of a row in which it goes up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Effect {
    pub value: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// The effects that explain the results best: each row has a direction, `1.0` or `-1.0`, for each
/// change, and a result. `None` if the rows do not tell the changes apart.
pub fn effects(rows: &[(Vec<f64>, f64)]) -> Option<Vec<Effect>> {
    let count = rows.first()?.0.len();
    let freedom = rows.len().checked_sub(count).filter(|&freedom| freedom > 0)?;
    // The normal equations: products of directions, beside them those with the results.
    let product = |a: usize, b: usize| rows.iter().map(|(row, _)| row[a] * row[b]).sum::<f64>();
    let products: Vec<Vec<f64>> =
        (0..count).map(|a| (0..count).map(|b| product(a, b)).collect()).collect();
    let inverse = inverse(products)?;
    let results: Vec<f64> = (0..count)
        .map(|change| rows.iter().map(|(row, result)| row[change] * result).sum())
        .collect();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let values: Vec<f64> = inverse.iter().map(|row| dot(row, &results)).collect();
    let rest = |(row, result): &(Vec<f64>, f64)| (result - dot(row, &values)).powi(2);
    let variance = rows.iter().map(rest).sum::<f64>() / freedom as f64;
    let effect = |change: usize| Effect {
        value: values[change],
        error: QUANTILE * (variance * inverse[change][change]).sqrt(),
    };
    Some((0..count).map(effect).collect())
}

/// The inverse of a symmetric matrix of products, by elimination; `None` if it has none.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let count = matrix.len();
    for (index, row) in matrix.iter_mut().enumerate() {
        row.extend((0..count).map(|column| if column == index { 1.0 } else { 0.0 }));
    }
    for pivot in 0..count {
        let scale = matrix[pivot][pivot];
        // Products of independent directions have diagonals of the size of the count of rows.
        if scale.abs() < 1e-6 {
            return None;
        }
        matrix[pivot].iter_mut().for_each(|value| *value /= scale);
        let pivot_row = matrix[pivot].clone();
        for (index, row) in matrix.iter_mut().enumerate() {
            let factor = row[pivot];
            if index != pivot {
                row.iter_mut().zip(&pivot_row).for_each(|(value, by)| *value -= factor * by);
            }
        }
    }
    Some(matrix.into_iter().map(|row| row[count..].to_vec()).collect())
}
