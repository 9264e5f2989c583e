//! The effects of changes by least squares.

/// The normal distribution's 97.5 % quantile: two-sided bounds at 95 %.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// What a change adds to the result of a row in which it goes up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Effect {
    pub value: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// The effects that explain the results best: each row has a direction, `1.0` or `-1.0`, for each
/// change, and a result. `None` if the rows do not tell the changes apart.
pub(super) fn effects(rows: &[(Vec<f64>, f64)]) -> Option<Vec<Effect>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(results: impl Fn(f64, f64) -> f64) -> Vec<(Vec<f64>, f64)> {
        // Not balanced: the first change goes up more often when the second does.
        let directions = [(1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
        directions.map(|(a, b)| (vec![a, b], results(a, b))).to_vec()
    }

    #[test]
    fn effects_that_explain_everything_are_exact() {
        let found = effects(&rows(|a, b| 0.3 * a - 0.1 * b)).unwrap();
        for (effect, expected) in found.iter().zip([0.3, -0.1]) {
            assert!((effect.value - expected).abs() < 1e-12 && effect.error < 1e-6, "{found:?}");
        }
    }

    #[test]
    fn what_is_not_explained_is_the_error() {
        // By hand: products [[5, 1], [1, 5]], inverse [[5, -1], [-1, 5]] / 24.
        let mut rows = rows(|_, _| 0.0);
        rows[0].1 = 1.0;
        let found = effects(&rows).unwrap();
        let value = 4.0 / 24.0;
        let rest = (1.0_f64 - 2.0 * value).powi(2) + (2.0 * value).powi(2) * 2.0;
        let error = QUANTILE * (rest / 3.0 * 5.0 / 24.0).sqrt();
        for effect in &found {
            assert!((effect.value - value).abs() < 1e-12, "{found:?}");
            assert!((effect.error - error).abs() < 1e-12, "{found:?}, not {error}");
        }
    }

    #[test]
    fn changes_that_always_go_together_cannot_be_separated() {
        assert_eq!(effects(&[]), None);
        assert_eq!(effects(&rows(|_, _| 0.0)[..2]), None, "too few");
        let together: Vec<_> = [1.0, -1.0, 1.0].map(|a| (vec![a, a], a)).to_vec();
        assert_eq!(effects(&together), None);
    }
}
