//! The sequential probability ratio test: stops a match when it is decided.
//!
//! Source: M. Van den Bergh, Comments on Normalized Elo (normalized_elo_practical.pdf): the
//! likelihoods are those of the most likely distributions of pair results under both hypotheses
//! (generalized SPRT).

use std::fmt;
use std::str::FromStr;

use super::stats::{PAIR_SCORES, Pentanomial, expected_score, pair_t_value};
use crate::error::{Result, reject};

/// Chance of accepting the wrong hypothesis, for both of them.
const ERROR_RATE: f64 = 0.05;

/// Counted for a kind of pair that did not occur, so that its logarithm exists.
const UNSEEN: f64 = 1e-3;

/// What the hypotheses measure.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Model {
    /// Elo in units of the deviation of a game's result: tests take as long with any book
    Normalized,
    /// Elo of the usual scale
    Logistic,
}

/// H0: the difference is `elo0`; H1: it is `elo1`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Hypotheses {
    pub elo0: f64,
    pub elo1: f64,
}

impl FromStr for Hypotheses {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let error =
            || format!("{text:?} is not two Elo differences, the smaller first, such as \"0 10\"");
        let numbers: Vec<f64> = text
            .split([' ', ',', ':'])
            .filter(|part| !part.is_empty())
            .map(|part| part.parse().map_err(|_| error()))
            .collect::<Result<_, _>>()?;
        match numbers[..] {
            [elo0, elo1] if elo0 < elo1 && elo0.is_finite() && elo1.is_finite() => {
                Ok(Self { elo0, elo1 })
            }
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Hypotheses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.elo0, self.elo1)
    }
}

/// A test: its hypotheses and how they are measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    pub hypotheses: Hypotheses,
    pub model: Model,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    Open,
    H0,
    H1,
}

impl Sprt {
    /// A test of these hypotheses.
    ///
    /// # Errors
    /// If an even match has no likelihood under one of them.
    pub fn new(hypotheses: Hypotheses, model: Model) -> Result<Self> {
        const EVEN: Pentanomial = Pentanomial([10, 20, 40, 20, 10]);
        let sprt = Self { hypotheses, model };
        if !sprt.llr(&EVEN).is_finite() {
            reject!(
                "the hypotheses {hypotheses} are too far from an even match to be tested: give \
                 smaller ones"
            );
        }
        Ok(sprt)
    }

    /// The log-likelihood ratio at which H1 is accepted; H0 is at its negative.
    pub fn bound() -> f64 {
        ((1.0 - ERROR_RATE) / ERROR_RATE).ln()
    }

    /// The logarithm of the likelihood of H1 over that of H0.
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let Hypotheses { elo0, elo1 } = self.hypotheses;
        let [p0, p1] = [elo0, elo1].map(|elo| match self.model {
            Model::Logistic => likeliest_with_mean(&seen, expected_score(elo)),
            Model::Normalized => likeliest_with_t_value(&seen, pair_t_value(elo)),
        });
        (0..5).map(|i| counts[i] * (p1[i] / p0[i]).ln()).sum()
    }

    pub fn verdict(&self, pairs: &Pentanomial) -> Verdict {
        let llr = self.llr(pairs);
        if llr >= Self::bound() {
            Verdict::H1
        } else if llr <= -Self::bound() {
            Verdict::H0
        } else {
            Verdict::Open
        }
    }
}

/// The hypotheses, and the model where it is not the usual one.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.model {
            Model::Normalized => write!(f, "{}", self.hypotheses),
            Model::Logistic => write!(f, "{} logistic", self.hypotheses),
        }
    }
}

type Distribution = [f64; 5];

/// The distribution of this mean under which `seen` is most likely (proposition 1.1).
fn likeliest_with_mean(seen: &Distribution, mean: f64) -> Distribution {
    likeliest_without(seen, &PAIR_SCORES.map(|score| score - mean))
}

/// The distribution under which `seen` is most likely among those whose mean is `t` standard
/// deviations above one half (section 4.1).
fn likeliest_with_t_value(seen: &Distribution, t: f64) -> Distribution {
    const ITERATIONS: usize = 100;
    const PRECISION: f64 = 1e-9;
    let mut likeliest = [0.2; 5];
    for _ in 0..ITERATIONS {
        let mean: f64 = (0..5).map(|i| likeliest[i] * PAIR_SCORES[i]).sum();
        let variance: f64 = (0..5).map(|i| likeliest[i] * (PAIR_SCORES[i] - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let gradient = PAIR_SCORES.map(|score| {
            let distance = (score - mean) / deviation;
            score - 0.5 - 0.5 * t * deviation * (1.0 + distance * distance)
        });
        let next = likeliest_without(seen, &gradient);
        let change = (0..5).map(|i| (next[i] - likeliest[i]).abs()).fold(0.0, f64::max);
        likeliest = next;
        if change < PRECISION {
            break;
        }
    }
    likeliest
}

/// The distribution with zero mean of `values` under which `seen` is most likely: `seen` over
/// 1 + theta times the values, for the theta that makes their mean zero. Their signs differ.
fn likeliest_without(seen: &Distribution, values: &[f64; 5]) -> Distribution {
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    // The mean falls from infinity to minus infinity between these two.
    for _ in 0..100 {
        let theta = (low + high) / 2.0;
        let mean: f64 = (0..5).map(|i| seen[i] * values[i] / (1.0 + theta * values[i])).sum();
        if mean > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = (low + high) / 2.0;
    std::array::from_fn(|i| seen[i] / (1.0 + theta * values[i]))
}
