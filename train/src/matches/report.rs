//! What a match has shown.

use std::collections::BTreeMap;
use std::fmt;

use super::sprt::{Hypotheses, Model, Sprt, Verdict};
use super::stats::{Estimate, Pentanomial};
use crate::error::TrainError;

/// The results of a match from the view of the new version. Only whole pairs count.
#[derive(Clone, Default, Debug)]
pub struct MatchResult {
    pub pairs: Pentanomial,
    /// Games of these pairs that the new version won.
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    pub faults: Vec<FaultReport>,
}

/// What came of a match.
pub struct Played {
    pub result: MatchResult,
    /// Why there may be fewer games than were planned, for the row.
    pub broken_off: Option<String>,
    /// The same as an error.
    pub failure: Option<TrainError>,
}

/// A game that was lost by something else than chess.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultReport {
    pub culprit: String,
    pub kind: String,
    pub detail: String,
}

impl MatchResult {
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

    pub fn games(&self) -> u64 {
        2 * self.pairs.pairs()
    }

    /// The numbers of faults by culprit and kind, in words.
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
