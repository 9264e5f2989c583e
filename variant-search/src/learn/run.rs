//! The generations of learning.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tamarin_variant::Game;

use super::fit;
use super::plan::{
    Budget, Fitted, GENERATIONS, Known, Match, Observer, Phase, SHARES, Settings, Stopped,
};
use super::pool::{Contest, Enough, play_phase};
use super::record::Record;
use super::samples::{Data, collect};
use crate::any_evaluator::AnyEvaluator;
use crate::evaluate::learned::Learned;

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
