//! What a match has shown.

use std::collections::BTreeMap;
use std::fmt;

use super::sprt::{Hypotheses, Model, Sprt, Verdict};
use super::stats::{Estimate, Pentanomial};

/// The results of a match from the view of the new version. Only whole pairs count.
#[derive(Clone, Default, Debug)]
pub struct Outcome {
    pub pairs: Pentanomial,
    /// Games of these pairs that the new version won.
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// Who broke the rules, in all games.
    pub faults: Vec<FaultReport>,
}

/// A game that was lost by something else than chess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultReport {
    pub culprit: String,
    pub kind: String,
    pub detail: String,
}

impl Outcome {
    /// Counts a pair by the half points of its games.
    pub fn add_pair(&mut self, half_points: [usize; 2]) {
        self.pairs.add(half_points.iter().sum());
        for points in half_points {
            match points {
                0 => self.losses += 1,
                1 => self.draws += 1,
                _ => self.wins += 1,
            }
        }
    }

    /// Games of finished pairs.
    #[must_use]
    pub fn games(&self) -> u64 {
        2 * self.pairs.pairs()
    }

    /// The numbers of faults by culprit and kind, in words.
    #[must_use]
    pub fn fault_counts(&self) -> Vec<String> {
        let mut counts: BTreeMap<_, usize> = BTreeMap::new();
        for fault in &self.faults {
            *counts.entry((&fault.culprit, &fault.kind)).or_default() += 1;
        }
        counts
            .iter()
            .map(|((culprit, kind), count)| format!("{culprit}: {kind} x{count}"))
            .collect()
    }

    /// One line on how it stands.
    #[must_use]
    pub fn line(&self, sprt: Option<&Sprt>) -> String {
        let llr = sprt.map_or(String::new(), |sprt| format!(", LLR {:+.2}", sprt.llr(&self.pairs)));
        format!(
            "{} games: +{} ={} -{}, pairs [{}], Elo {}{llr}",
            self.games(),
            self.wins,
            self.draws,
            self.losses,
            self.pairs,
            self.pairs.elo(),
        )
    }

    /// Everything about the match, several lines.
    #[must_use]
    pub fn summary(&self, sprt: Option<&Sprt>) -> String {
        let mut text = format!(
            "games        {}: {} won, {} drawn, {} lost, score {:.1} %\n\
             pentanomial  [{}] pairs with 0 to 4 half points\n\
             Elo          {}, normalized {}, likelihood of superiority {:.1} %\n",
            self.games(),
            self.wins,
            self.draws,
            self.losses,
            100.0 * self.pairs.score(),
            self.pairs,
            self.pairs.elo(),
            self.pairs.normalized_elo(),
            100.0 * self.pairs.superiority(),
        );
        if let Some(sprt) = sprt {
            text += &format!("SPRT         {}\n", sprt_text(sprt, &self.pairs));
        }
        let faults = self.fault_counts();
        text += &if faults.is_empty() {
            "faults       none".to_owned()
        } else {
            let details: Vec<_> =
                self.faults.iter().map(|f| format!("  {}: {}", f.culprit, f.detail)).collect();
            format!("faults       {}\n{}", faults.join(", "), details.join("\n"))
        };
        text
    }
}

fn sprt_text(sprt: &Sprt, pairs: &Pentanomial) -> String {
    let Hypotheses { elo0, elo1 } = sprt.hypotheses;
    let model = match sprt.model {
        Model::Normalized => "normalized",
        Model::Logistic => "logistic",
    };
    let verdict = match sprt.verdict(pairs) {
        Verdict::Open => "undecided",
        Verdict::H0 => "H0 accepted",
        Verdict::H1 => "H1 accepted",
    };
    let bound = Sprt::bound();
    let llr = sprt.llr(pairs);
    format!("{model} [{elo0}, {elo1}]: LLR {llr:+.2} (-{bound:.2}, {bound:.2}), {verdict}")
}

/// `+12.3 ± 4.5`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.value.is_finite(), self.error.is_finite()) {
            (true, true) => write!(f, "{:+.1} ± {:.1}", self.value, self.error),
            (true, false) => write!(f, "{:+.1}, error without bound", self.value),
            (false, _) => write!(f, "without bound"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_is_summed_up() {
        let mut outcome = Outcome::default();
        for pair in [[2, 2], [2, 1], [1, 1], [0, 2], [0, 0]] {
            outcome.add_pair(pair);
        }
        let fault = FaultReport {
            culprit: "old".to_owned(),
            kind: "time forfeit".to_owned(),
            detail: "time forfeit: 60 ms over".to_owned(),
        };
        outcome.faults = vec![fault.clone(), fault];
        let sprt = Sprt { hypotheses: "0 10".parse().unwrap(), model: Model::Normalized };
        let text = outcome.summary(Some(&sprt));
        let expected = [
            "10: 4 won, 3 drawn, 3 lost, score 55.0 %",
            "[1 0 2 1 1]",
            "normalized [0, 10]: LLR +",
            "(-2.94, 2.94), undecided",
            "old: time forfeit x2",
            "old: time forfeit: 60 ms over",
        ];
        for part in expected {
            assert!(text.contains(part), "no {part:?} in\n{text}");
        }
        assert!(
            outcome.line(None).starts_with("10 games: +4 =3 -3, pairs [1 0 2 1 1], Elo +34.9 ±")
        );
        assert!(Outcome::default().summary(None).ends_with("faults       none"));
    }

    #[test]
    fn one_sided_matches_have_no_bound() {
        let mut outcome = Outcome::default();
        outcome.add_pair([2, 2]);
        assert!(outcome.line(None).contains("Elo without bound"));
    }
}
