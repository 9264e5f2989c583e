//! The score that wins half of the games, over all material.

use crate::data::Outcome;

/// The score that wins half of the games: the `center` of a chance to win at a score `x` of
/// `1 / (1 + exp((center - x) / width))`.
///
/// Fitted to scores (engine units, White's view) and the outcomes of their games, both sides'
/// views of each, by Newton's method on the likelihood of `slope * x + offset`. Scores of 1,500
/// units and more are left out.
pub(super) fn half_won(samples: impl IntoIterator<Item = (f64, Outcome)>) -> f64 {
    let views: Vec<(f64, f64)> = samples
        .into_iter()
        .filter(|(score, _)| score.abs() < 1_500.0)
        .flat_map(|(score, outcome)| {
            let won = |winner| f64::from(u8::from(outcome == winner));
            [(score, won(Outcome::WhiteWin)), (-score, won(Outcome::BlackWin))]
        })
        .collect();
    let (mut slope, mut offset) = (0.01, -1.0);
    for _ in 0..50 {
        let mut gradient = [0.0; 2];
        let mut curvature = [0.0; 3];
        for &(score, won) in &views {
            let chance = 1.0 / (1.0 + (-(slope * score + offset)).exp());
            let (error, weight) = (won - chance, chance * (1.0 - chance));
            gradient[0] += error * score;
            gradient[1] += error;
            curvature[0] += weight * score * score;
            curvature[1] += weight * score;
            curvature[2] += weight;
        }
        let determinant = curvature[0] * curvature[2] - curvature[1] * curvature[1];
        if determinant.abs() < 1e-12 {
            break;
        }
        slope += (curvature[2] * gradient[0] - curvature[1] * gradient[1]) / determinant;
        offset += (curvature[0] * gradient[1] - curvature[1] * gradient[0]) / determinant;
    }
    -offset / slope
}

#[cfg(test)]
mod tests {
    use super::half_won;
    use crate::data::Outcome;

    #[test]
    fn the_score_that_wins_half_is_found() {
        // A world where the chance to win is a logistic curve around 120 units, width 60.
        let chance = |score: f64| 1.0 / (1.0 + ((120.0 - score) / 60.0).exp());
        let mut samples = Vec::new();
        for score in (-600..=600).step_by(10).map(f64::from) {
            let wins = (chance(score) * 100.0).round() as usize;
            let losses = (chance(-score) * 100.0).round() as usize;
            samples.extend(vec![(score, Outcome::WhiteWin); wins]);
            samples.extend(vec![(score, Outcome::BlackWin); losses]);
            samples.extend(vec![(score, Outcome::Draw); 100 - wins - losses]);
        }
        let found = half_won(samples);
        assert!((found - 120.0).abs() < 2.0, "{found}");
    }
}
