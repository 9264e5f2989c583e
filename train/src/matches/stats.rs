//! What the results of game pairs say about strength.
//!
//! Both games of a pair begin with the same opening and changed colors, so their results depend
//! on each other. Errors and likelihoods therefore come from the counts of pairs
//! (*pentanomial*), not of games.

use std::f64::consts::{LN_10, SQRT_2};
use std::fmt;

/// Half points that a pair can give, as a share of both games.
pub const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The normal distribution's 97.5 % quantile: two-sided bounds at 95 %.
pub const QUANTILE: f64 = 1.959_963_984_540_054;

/// Elo of one standard deviation of a game's result in normalized Elo.
///
/// Source: M. Van den Bergh, Normalized Elo.
const NORMALIZED_SCALE: f64 = 800.0 / LN_10;

/// Pairs by their half points, from two losses (0) to two wins (4).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean result of a game, 0 to 1; 0.5 without pairs.
    pub fn score(&self) -> f64 {
        if self.pairs() == 0 { 0.5 } else { self.mean(&PAIR_SCORES) }
    }

    /// Variance of the mean result of a pair.
    pub fn variance(&self) -> f64 {
        let mean = self.score();
        self.mean(&PAIR_SCORES.map(|score| (score - mean).powi(2)))
    }

    /// Standard error of [`Self::score`].
    fn error(&self) -> f64 {
        (self.variance() / self.pairs().max(1) as f64).sqrt()
    }

    fn mean(&self, values: &[f64; 5]) -> f64 {
        let sum: f64 = self.0.iter().zip(values).map(|(&count, value)| count as f64 * value).sum();
        sum / self.pairs().max(1) as f64
    }

    /// Elo difference in the logistic model. Infinite if every game had the same winner; its error
    /// is infinite if all pairs ended alike, because nothing is known about their spread.
    pub fn elo(&self) -> Estimate {
        let (score, reach) = (self.score(), QUANTILE * self.error());
        let (low, high) = (elo(score - reach), elo(score + reach));
        let error = if reach == 0.0 { f64::INFINITY } else { (high - low) / 2.0 };
        Estimate { value: elo(score), error }
    }

    /// Normalized Elo: the difference in units of the deviation of a game's result.
    pub fn normalized_elo(&self) -> Estimate {
        let (lead, scale) = (self.score() - 0.5, NORMALIZED_SCALE / SQRT_2);
        // Without a lead it is 0, even if all pairs ended alike and the deviation is 0, too.
        let value = if lead == 0.0 { 0.0 } else { lead * scale / self.variance().sqrt() };
        Estimate { value, error: QUANTILE * scale / (self.pairs() as f64).sqrt() }
    }

    /// Likelihood of superiority: the chance, 0 to 1, that the first side is the stronger one. If
    /// all pairs ended alike, it is that of as many wins without a loss, before which each share of
    /// wins was as likely (Laplace's rule of succession).
    pub fn superiority(&self) -> f64 {
        let (lead, error) = (self.score() - 0.5, self.error());
        if lead == 0.0 {
            return 0.5;
        }
        if error == 0.0 {
            let doubt = (-1.0 - self.pairs() as f64).exp2();
            return if lead > 0.0 { 1.0 - doubt } else { doubt };
        }
        normal_cdf(lead / error)
    }
}

impl fmt::Display for Pentanomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e] = self.0;
        write!(f, "{a} {b} {c} {d} {e}")
    }
}

/// A value with the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    pub value: f64,
    pub error: f64,
}

/// Elo difference at which a score, 0 to 1, is expected; infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// The score, 0 to 1, that an Elo difference leads to expect.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// Normalized Elo as the mean of a pair's result over its deviation.
pub fn pair_t_value(normalized_elo: f64) -> f64 {
    SQRT_2 * normalized_elo / NORMALIZED_SCALE
}

/// The normal distribution function, within 1e-7.
///
/// Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.17.
fn normal_cdf(x: f64) -> f64 {
    const SERIES: [f64; 5] = [0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429];
    let t = 1.0 / (1.0 + 0.2316419 * x.abs());
    let sum = SERIES.iter().rev().fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * sum;
    if x < 0.0 { tail } else { 1.0 - tail }
}
