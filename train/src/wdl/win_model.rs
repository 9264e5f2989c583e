//! What a score means: the chance to win at a score, fitted to games.

use super::dataset::GameResult;

/// The chance to win at a score `x` (engine units): `1 / (1 + exp((center - x) / width))`.
#[derive(Clone, Copy, Debug)]
pub struct WinModel {
    /// The score that wins half of the games.
    pub center: f64,
    /// How many units change the odds by a factor of e.
    pub width: f64,
}

impl WinModel {
    /// The chance to win at `score`, 0 to 1.
    #[must_use]
    pub fn chance(&self, score: f64) -> f64 {
        1.0 / (1.0 + ((self.center - score) / self.width).exp())
    }

    /// Fits the model to scores (engine units, White's view) and the results of their games,
    /// both sides' views of each, by Newton's method on the likelihood of
    /// `slope * x + offset`. Scores of 1,500 units and more are left out.
    #[must_use]
    pub fn fit(samples: impl IntoIterator<Item = (f64, GameResult)>) -> Self {
        let views: Vec<(f64, f64)> = samples
            .into_iter()
            .filter(|(score, _)| score.abs() < 1_500.0)
            .flat_map(|(score, result)| {
                let won = |winner| f64::from(u8::from(result == winner));
                [(score, won(GameResult::WhiteWins)), (-score, won(GameResult::BlackWins))]
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
        Self { center: -offset / slope, width: 1.0 / slope }
    }
}
