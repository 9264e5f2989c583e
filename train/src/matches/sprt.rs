//! The sequential probability ratio test: stops a match when it is decided.
//!
//! Source: M. Van den Bergh, Comments on Normalized Elo (normalized_elo_practical.pdf): the
//! likelihoods are those of the most likely distributions of pair results under both hypotheses
//! (generalized SPRT).

use std::fmt;
use std::str::FromStr;

use super::stats::{PAIR_SCORES, Pentanomial, expected_score, pair_t_value};

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
    /// Elo of H0.
    pub elo0: f64,
    /// Elo of H1, more than that of H0.
    pub elo1: f64,
}

/// Two numbers were expected, the first below the second.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not two Elo differences, the smaller first, such as \"0 10\"")]
pub struct HypothesesError(String);

impl FromStr for Hypotheses {
    type Err = HypothesesError;

    fn from_str(text: &str) -> Result<Self, HypothesesError> {
        let error = || HypothesesError(text.to_owned());
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

/// Hypotheses that no result can be compared with.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the hypotheses {0} are too far from an even match to be tested: give smaller ones")]
pub struct SprtError(Hypotheses);

/// A test: its hypotheses and how they are measured.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// What is compared.
    pub hypotheses: Hypotheses,
    /// On which scale.
    pub model: Model,
}

/// How a test stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// More games are needed.
    Open,
    /// The difference is rather `elo0`.
    H0,
    /// The difference is rather `elo1`.
    H1,
}

impl Sprt {
    /// A test of these hypotheses.
    ///
    /// # Errors
    /// If an even match has no likelihood under one of them.
    pub fn new(hypotheses: Hypotheses, model: Model) -> Result<Self, SprtError> {
        const EVEN: Pentanomial = Pentanomial([10, 20, 40, 20, 10]);
        let sprt = Self { hypotheses, model };
        if sprt.llr(&EVEN).is_finite() { Ok(sprt) } else { Err(SprtError(hypotheses)) }
    }

    /// The log-likelihood ratio at which H1 is accepted; H0 is at its negative.
    #[must_use]
    pub fn bound() -> f64 {
        ((1.0 - ERROR_RATE) / ERROR_RATE).ln()
    }

    /// The logarithm of the likelihood of H1 over that of H0.
    #[must_use]
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

    /// What the ratio decides.
    #[must_use]
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

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(model: Model, elo0: f64, elo1: f64, pairs: [u64; 5]) -> f64 {
        Sprt { hypotheses: Hypotheses { elo0, elo1 }, model }.llr(&Pentanomial(pairs))
    }

    fn close(value: f64, expected: f64) {
        // Its tests allow one per cent.
        let allowed = 0.01 * (1.0 + expected.abs());
        assert!((value - expected).abs() <= allowed, "{value} instead of {expected}");
    }

    /// Source of the expected values: the tests of fastchess (sprt_test.cpp).
    #[test]
    fn ratios_as_in_fastchess() {
        let pairs = [365, 16_618, 36_029 + 200, 16_974, 390];
        close(llr(Model::Normalized, 0.0, 2.0, pairs), 2.25);
        let pairs = [127, 4_883, 10_311 + 401, 5_150, 104];
        close(llr(Model::Normalized, -1.75, 0.25, pairs), 3.01);
        let pairs = [223, 9_863, 20_279 + 1_000, 10_037, 246];
        close(llr(Model::Logistic, 0.5, 2.5, pairs), -3.07);
        let pairs = [871, 26_175, 55_003 + 980, 26_678, 821];
        close(llr(Model::Logistic, 0.0, 2.0, pairs), -4.98);
    }

    #[test]
    fn the_verdict_follows_the_games() {
        let test =
            Sprt { hypotheses: Hypotheses { elo0: 0.0, elo1: 10.0 }, model: Model::Logistic };
        assert!((Sprt::bound() - 2.944).abs() < 0.001);
        assert_eq!(test.verdict(&Pentanomial::default()), Verdict::Open);
        assert_eq!(test.verdict(&Pentanomial([10, 20, 40, 20, 10])), Verdict::Open);
        assert_eq!(test.verdict(&Pentanomial([10, 100, 200, 220, 70])), Verdict::H1);
        assert_eq!(test.verdict(&Pentanomial([70, 220, 200, 100, 10])), Verdict::H0);
    }

    #[test]
    fn hypotheses_that_cannot_be_compared_are_refused() {
        let refused = |elo1: f64, model| {
            let hypotheses = Hypotheses { elo0: 0.0, elo1 };
            Sprt::new(hypotheses, model).is_err_and(|error| error.to_string().contains("0 9"))
        };
        assert!(refused(900.0, Model::Normalized) && refused(90_000.0, Model::Logistic));
        for elo0 in [-200.0, 0.0, 190.0] {
            for model in [Model::Normalized, Model::Logistic] {
                assert!(Sprt::new(Hypotheses { elo0, elo1: 200.0 }, model).is_ok());
            }
        }
    }

    #[test]
    fn a_row_names_the_model_unless_it_is_the_usual_one() {
        let row = |model| Sprt::new("0 10".parse().unwrap(), model).unwrap().to_string();
        assert_eq!(row(Model::Normalized), "0 10");
        assert_eq!(row(Model::Logistic), "0 10 logistic");
    }

    #[test]
    fn hypotheses_are_two_rising_numbers() {
        assert_eq!("0 10".parse(), Ok(Hypotheses { elo0: 0.0, elo1: 10.0 }));
        assert_eq!("-1.75, 0.25".parse(), Ok(Hypotheses { elo0: -1.75, elo1: 0.25 }));
        for text in ["", "5", "5 0", "0 0", "a b", "0 1 2", "0 inf"] {
            assert!(text.parse::<Hypotheses>().is_err(), "{text}");
        }
    }
}
