//! The generations of learning.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use tamarin_variant::Game;

use super::fit;
use super::fit::{Data, collect};
use super::games::{Contest, Enough, Record, play_phase};
use crate::any_evaluator::AnyEvaluator;
use crate::evaluate::learned::Learned;
use crate::search::EngineError;

/// The last part of a generation's share, one in [`MATCH_PART`], is for the match.
const MATCH_PART: u32 = 6;
/// A match has at least this number of games.
const LEAST_MATCH: u32 = 16;
/// How much of a sample's target is the result of the game; the rest is what the search expected.
const RESULT_SHARE: f32 = 0.6;

/// Learns an evaluator for a game. With a budget of games or nodes the result depends on nothing
/// but the game, the seed, the nodes of a search and the budget. Where no generation is better than
/// the one before, it is that of the rules alone.
///
/// # Errors
/// If `stop` became true, or there is no memory for an engine.
pub fn learn(
    game: &Arc<Game>,
    settings: &Settings,
    known: Known,
    stop: &AtomicBool,
    observer: &dyn Observer,
) -> Result<Learned, Stopped> {
    let begin = Instant::now().checked_sub(known.spent).unwrap_or_else(Instant::now);
    let mut run = Run { game, settings, known, stop, observer, begin };
    let seed = Arc::new(Learned::seed(game));
    let mut best = Arc::clone(&seed);
    let mut all: Vec<Record> = Vec::new();
    let mut notes = Notes { settings: *settings, error: None, matches: Vec::new() };
    for generation in 1..=GENERATIONS {
        let games = run.play(Phase::Games(generation), vec![Arc::clone(&best).into()])?;
        all.extend(games);
        let (candidate, fitted) = run.fit(generation, (&best, &seed), &all);
        observer.fitted(&fitted);
        let candidate = Arc::new(candidate);
        let evaluators = [&candidate, &best].map(|learned| AnyEvaluator::from(Arc::clone(learned)));
        let played = run.play(Phase::Match(generation), evaluators.to_vec())?;
        let result = outcome(generation, &played);
        observer.compared(&result);
        notes.matches.push(result);
        if result.is_taken() {
            notes.error = fitted.errors.map(|[_, now]| now);
            best = candidate;
        }
    }
    Ok(best.with_recipe(notes.recipe(all.len())))
}

/// The points of the new generation, which has White in games with even numbers.
fn outcome(generation: u32, records: &[Record]) -> Match {
    let points = records.iter().enumerate().map(|(number, record)| match number % 2 {
        0 => record.points(),
        _ => 1.0 - record.points(),
    });
    Match { generation, games: records.len(), points: points.sum() }
}

struct Run<'a> {
    game: &'a Arc<Game>,
    settings: &'a Settings,
    known: Known,
    stop: &'a AtomicBool,
    observer: &'a dyn Observer,
    begin: Instant,
}

impl Run<'_> {
    fn play(
        &mut self,
        phase: Phase,
        evaluators: Vec<AnyEvaluator>,
    ) -> Result<Vec<Record>, Stopped> {
        let known = self.known.records.remove(&phase).unwrap_or_default();
        let enough = self.enough(phase, known.len() as u32);
        let contest = Contest {
            game: self.game,
            phase,
            evaluators,
            seed: self.settings.seed,
            nodes: self.settings.nodes,
            enough,
        };
        self.observer.begins(phase);
        let threads = self.settings.threads;
        let records = play_phase(&contest, known, threads, self.stop, self.observer)?;
        self.observer.ends(phase);
        Ok(records)
    }

    /// When a phase ends of which `known` games are known.
    fn enough(&self, phase: Phase, known: u32) -> Enough {
        let index = phase.generation() as usize - 1;
        let (share, all) = (SHARES[index], SHARES.iter().sum::<u32>());
        let before: u32 = SHARES[..index].iter().sum();
        match (self.settings.budget, phase) {
            (Budget::Time(_), _) if self.known.ended.contains(&phase) => Enough::Games(known),
            (Budget::Time(time), Phase::Games(_)) => {
                let parts = before * MATCH_PART + share * (MATCH_PART - 1);
                Enough::At(self.begin + time * parts / (all * MATCH_PART))
            }
            (Budget::Time(time), Phase::Match(_)) => {
                Enough::At(self.begin + time * (before + share) / all)
            }
            (Budget::Games(games), Phase::Games(_)) => Enough::Games((games * share / all).max(2)),
            (Budget::Games(games), Phase::Match(_)) => Enough::Games(match_games(games)),
            (Budget::Nodes(nodes), Phase::Games(_)) => {
                Enough::Nodes(nodes / u64::from(all) * u64::from(share))
            }
            (Budget::Nodes(nodes), Phase::Match(_)) => {
                // A game of a hundred plies.
                let games = nodes / (100 * self.settings.nodes).max(1);
                Enough::Games(match_games(u32::try_from(games).unwrap_or(u32::MAX)))
            }
        }
    }

    /// A generation's evaluator from all games so far.
    fn fit(
        &self,
        generation: u32,
        (best, seed): (&Learned, &Learned),
        games: &[Record],
    ) -> (Learned, Fitted) {
        let shape = best.shape.with_exchange(self.game, &best.piece_values());
        let from = Learned::new(self.game, shape, best.weights.clone(), String::new());
        let data: Data = collect(self.game, &from, games, RESULT_SHARE);
        let candidate = fit::fit(self.game, &from, &seed.weights, &data);
        let errors = fit::error(&from, &data.held_out).zip(fit::error(&candidate, &data.held_out));
        let errors = errors.map(|(before, now)| [before, now]);
        (candidate, Fitted { generation, samples: data.fit.len(), errors })
    }
}

/// The games of a match if `games` games are learned from: an even number.
fn match_games(games: u32) -> u32 {
    (games / 40 * 2).clamp(LEAST_MATCH, 1000)
}

/// What the recipe states.
struct Notes {
    settings: Settings,
    error: Option<f64>,
    matches: Vec<Match>,
}

impl Notes {
    /// One line, the same for any number of threads.
    fn recipe(&self, games: usize) -> String {
        let Settings { seed, nodes, .. } = self.settings;
        let mut text = format!("{games} games of {nodes} nodes a ply, seed {seed}");
        if let Some(error) = self.error {
            text += &format!(", error on games not seen {error:.4}");
        }
        for result in &self.matches {
            let Match { generation, games, points } = result;
            let verdict = if result.is_taken() { "" } else { " and left out" };
            text += &format!(", generation {generation} {points} of {games}{verdict}");
        }
        text
    }
}

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
