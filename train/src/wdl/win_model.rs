//! The score that wins half of the games, over all material.

use super::model::MAX_SCORE;
use crate::data::GameResult;

/// Most steps of the fit; about ten are enough.
const STEPS: usize = 50;

/// How often a step that leads too far is halved before the fit ends.
const HALVINGS: i32 = 20;

/// A score from the view of a side, whether it won (1 or 0), and how often this occurred.
type View = (f64, f64, f64);

/// The score that wins half of the games: the `center` of a chance to win at a score `x` of
/// `1 / (1 + exp((center - x) / width))`.
///
/// Fitted to scores (engine units, White's view), the outcomes of their games and how often they
/// occurred, both sides' views of each, by Newton's method on the likelihood of
/// `slope * x + offset`. Scores of [`MAX_SCORE`] and more are left out; `None` if the chance does
/// not rise with the score, or is below a half at all that count.
pub fn half_won(samples: impl IntoIterator<Item = (f64, GameResult, u64)>) -> Option<f64> {
    let max_score = f64::from(MAX_SCORE);
    let views: Vec<View> = samples
        .into_iter()
        .filter(|&(score, _, count)| score.abs() < max_score && count > 0)
        .flat_map(|(score, outcome, count)| {
            let view = |score, winner| (score, f64::from(outcome == winner), count as f64);
            [view(score, GameResult::WhiteWin), view(-score, GameResult::BlackWin)]
        })
        .collect();
    let mut line = [0.0; 2];
    for _ in 0..STEPS {
        let Some(next) = improved(&views, line) else { break };
        line = next;
    }
    let [slope, offset] = line;
    (slope > 0.0).then(|| -offset / slope).filter(|&center| center < max_score)
}

/// Slope and offset after a step of Newton's method, which is halved until the likelihood does not
/// fall: where the curve is flat the whole step leads too far. `None` if there is no such step.
fn improved(views: &[View], line: [f64; 2]) -> Option<[f64; 2]> {
    let mut gradient = [0.0; 2];
    let mut curvature = [0.0; 3];
    for &(score, won, count) in views {
        let chance = 1.0 / (1.0 + (-(line[0] * score + line[1])).exp());
        let (error, weight) = (count * (won - chance), count * chance * (1.0 - chance));
        gradient[0] += error * score;
        gradient[1] += error;
        curvature[0] += weight * score * score;
        curvature[1] += weight * score;
        curvature[2] += weight;
    }
    let determinant = curvature[0] * curvature[2] - curvature[1] * curvature[1];
    if determinant.abs() < 1e-12 {
        return None;
    }
    let step = [
        (curvature[2] * gradient[0] - curvature[1] * gradient[1]) / determinant,
        (curvature[0] * gradient[1] - curvature[1] * gradient[0]) / determinant,
    ];
    let before = log_likelihood(views, line);
    (0..HALVINGS)
        .map(|halvings| {
            let share = 0.5_f64.powi(halvings);
            [line[0] + share * step[0], line[1] + share * step[1]]
        })
        .find(|&next| log_likelihood(views, next) >= before)
}

/// The logarithm of the likelihood of what happened.
fn log_likelihood(views: &[View], [slope, offset]: [f64; 2]) -> f64 {
    let of = |&(score, won, count): &View| {
        let z = (slope * score + offset) * (2.0 * won - 1.0);
        // ln(1 + exp(-z)), where exp does not overflow.
        -count * ((-z).max(0.0) + (-z.abs()).exp().ln_1p())
    };
    views.iter().map(of).sum()
}
