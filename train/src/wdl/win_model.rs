//! The score that wins half of the games, over all material.

use crate::data::Outcome;

/// The score that wins half of the games: the `center` of a chance to win at a score `x` of
/// `1 / (1 + exp((center - x) / width))`.
///
/// Fitted to scores (engine units, White's view), the outcomes of their games and how often they
/// occurred, both sides' views of each, by Newton's method on the likelihood of
/// `slope * x + offset`. Scores of 1,500 units and more are left out; `None` if there are no others.
pub(super) fn half_won(samples: impl IntoIterator<Item = (f64, Outcome, u64)>) -> Option<f64> {
    let views: Vec<(f64, f64, f64)> = samples
        .into_iter()
        .filter(|&(score, _, count)| score.abs() < 1_500.0 && count > 0)
        .flat_map(|(score, outcome, count)| {
            let view = |score, winner| (score, f64::from(outcome == winner), count as f64);
            [view(score, Outcome::WhiteWin), view(-score, Outcome::BlackWin)]
        })
        .collect();
    if views.is_empty() {
        return None;
    }
    let (mut slope, mut offset) = (0.01, -1.0);
    for _ in 0..50 {
        let mut gradient = [0.0; 2];
        let mut curvature = [0.0; 3];
        for &(score, won, count) in &views {
            let chance = 1.0 / (1.0 + (-(slope * score + offset)).exp());
            let (error, weight) = (count * (won - chance), count * chance * (1.0 - chance));
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
    Some(-offset / slope)
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
            let wins = (chance(score) * 100.0).round() as u64;
            let losses = (chance(-score) * 100.0).round() as u64;
            samples.push((score, Outcome::WhiteWin, wins));
            samples.push((score, Outcome::BlackWin, losses));
            samples.push((score, Outcome::Draw, 100 - wins - losses));
        }
        let found = half_won(samples).unwrap();
        assert!((found - 120.0).abs() < 2.0, "{found}");
    }

    #[test]
    fn without_a_position_there_is_no_score() {
        assert_eq!(half_won([]), None);
        assert_eq!(half_won([(20.0, Outcome::Draw, 0), (1_500.0, Outcome::WhiteWin, 3)]), None);
    }
}
