//! What a run of learning is given, and what it reports.

use std::collections::BTreeMap;
use std::time::Duration;

use super::record::Record;
use crate::search::EngineError;

/// The shares of the budget of each generation: the first ones play badly and mend the greatest
/// mistakes.
pub(super) const SHARES: [u32; 5] = [1, 2, 3, 4, 5];
/// Generations of learning.
pub const GENERATIONS: u32 = SHARES.len() as u32;

/// How much may be spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// Time of the clock, with all fits and matches.
    Time(Duration),
    /// Games to learn from, in all generations together; matches come on top.
    Games(u32),
    /// Nodes of games to learn from; matches come on top.
    Nodes(u64),
}

/// How to learn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Decides all random moves.
    pub seed: u64,
    /// Nodes of each search.
    pub nodes: u64,
    /// Threads that play, at least 1.
    pub threads: usize,
    /// How much may be spent.
    pub budget: Budget,
}

/// A part of learning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Phase {
    /// The games that a generation, from 1, learns from.
    Games(u32),
    /// The match of a generation against the best one before.
    Match(u32),
}

impl Phase {
    /// The generation, from 1.
    pub fn generation(self) -> u32 {
        match self {
            Self::Games(generation) | Self::Match(generation) => generation,
        }
    }
}

/// What a fit has found.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fitted {
    /// The generation, from 1.
    pub generation: u32,
    /// Positions that it was fitted to.
    pub samples: usize,
    /// The mean squared error of expected points in games that were held out, of the evaluator
    /// before and of the new one; `None` if there were no such games.
    pub errors: Option<[f64; 2]>,
}

/// The result of a generation's match against the best one before.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Match {
    /// The generation, from 1.
    pub generation: u32,
    /// Games that were played.
    pub games: usize,
    /// Points of the new generation.
    pub points: f64,
}

impl Match {
    /// Returns `true` if the new generation is taken: it has learned from more games than the one
    /// before, so it has to lose by more than one standard error of a match without draws to be
    /// rejected.
    pub fn is_taken(&self) -> bool {
        let games = self.games as f64;
        self.points * 2.0 >= games - games.sqrt()
    }

    /// The difference in Elo, at most 800 either way.
    pub fn elo(&self) -> f64 {
        let share = (self.points / self.games.max(1) as f64).clamp(0.01, 0.99);
        // An even score has the Elo 0.0, not -0.0.
        -400.0 * (1.0 / share - 1.0).log10() + 0.0
    }
}

/// Receives the progress. Games are reported one at a time.
pub trait Observer: Sync {
    /// A phase begins; with a limit of time it ends then.
    fn begins(&self, phase: Phase);
    /// A game was played; its number counts from 0 in its phase.
    fn played(&self, phase: Phase, number: u32, record: &Record);
    /// A phase has ended.
    fn ends(&self, phase: Phase);
    /// A generation's weights were fitted.
    fn fitted(&self, fitted: &Fitted);
    /// A match has ended.
    fn compared(&self, result: &Match);
}

/// What an earlier run that was cut off has done.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Known {
    /// Games by phase and number.
    pub records: BTreeMap<Phase, BTreeMap<u32, Record>>,
    /// Phases that have ended: with a limit of time they get no more games.
    pub ended: Vec<Phase>,
    /// The time that it took.
    pub spent: Duration,
}

/// Why nothing was learned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Stopped {
    #[error("stopped")]
    Told,
    #[error(transparent)]
    Engine(#[from] EngineError),
}

#[cfg(test)]
mod tests {
    use super::Match;

    #[test]
    fn an_even_match_has_a_difference_without_a_sign() {
        let elo = Match { generation: 1, games: 2, points: 1.0 }.elo();
        assert!(elo == 0.0 && elo.is_sign_positive(), "{elo}");
    }

    #[test]
    fn a_generation_is_rejected_if_it_loses_by_more_than_the_error_of_the_match() {
        let is_taken = |points| Match { generation: 1, games: 16, points }.is_taken();
        assert!(is_taken(6.0) && !is_taken(5.5));
    }
}
