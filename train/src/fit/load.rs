//! From games to traced positions, for training and validation.

use core::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tamarin_eval::tuning::{
    Coefficient, DataSet, GameResult, LAZY_MARGIN, Pair, Sample, SparseTrace, current_weights,
};
use tamarin_eval::{Breakdown, PawnTable, evaluate};
use tamarin_movegen::{CastlingStyle, Color, Position};

use super::error::FitError;
use crate::data::{Filter, NumberedGame, Outcome, for_each_share};

/// Positions of the games, split by game.
pub(super) struct Loaded {
    pub training: DataSet,
    pub validation: DataSet,
    /// How many positions for validation each game has, in the order of the set.
    pub validation_games: Vec<usize>,
    pub summary: Summary,
}

/// The positions of some games.
#[derive(Default)]
struct Sets {
    training: DataSet,
    validation: DataSet,
    validation_games: Vec<usize>,
}

impl Sets {
    /// Adds other games after its own.
    fn append(&mut self, other: &Self) {
        self.training.append(&other.training);
        self.validation.append(&other.validation);
        self.validation_games.extend(&other.validation_games);
    }
}

/// What was loaded.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(super) struct Summary {
    pub games: u64,
    /// Positions to learn from.
    pub training: usize,
    /// Positions kept out of the fit.
    pub validation: usize,
    /// Memory of both, in bytes.
    memory: usize,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, training, validation, memory } = self;
        let mib = memory >> 20;
        write!(f, "{games} games: {training} positions, {validation} for validation, {mib} MiB")
    }
}

/// Loads all positions that are kept. Each is compared with the evaluation: the tuner's sum
/// must be within one unit of it.
pub(super) fn load(files: &[PathBuf], filter: &Filter, threads: usize) -> Result<Loaded, FitError> {
    let mut sets = Sets::default();
    let weights = current_weights();
    let work = |share: &[NumberedGame]| trace_share(share, filter, &weights);
    let games = for_each_share(files, threads, work, |share| sets.append(&share))?;
    let Sets { training, validation, validation_games } = sets;
    let memory = memory(&training) + memory(&validation);
    let summary = Summary { games, training: training.len(), validation: validation.len(), memory };
    if training.is_empty() || validation.is_empty() {
        let (training, validation) = (training.len(), validation.len());
        return Err(FitError::TooFew { training, validation });
    }
    Ok(Loaded { training, validation, validation_games, summary })
}

fn trace_share(
    games: &[NumberedGame],
    filter: &Filter,
    weights: &[Pair],
) -> Result<Sets, FitError> {
    let (mut sets, mut pawns) = (Sets::default(), PawnTable::new());
    for numbered in games {
        let game = &numbered.game;
        let set = if numbered.for_validation() { &mut sets.validation } else { &mut sets.training };
        let before = set.len();
        let result = match game.outcome {
            Outcome::BlackWin => GameResult::BlackWins,
            Outcome::Draw => GameResult::Draw,
            Outcome::WhiteWin => GameResult::WhiteWins,
        };
        let mut outcome = Ok(());
        game.replay(|position, ply| {
            if outcome.is_err() || !filter.keeps(position, ply) {
                return;
            }
            // What has no trace is judged without weights.
            if let Ok(trace) = SparseTrace::new(position) {
                outcome = compare(position, &trace, weights, &mut pawns);
                set.push(&trace, f32::from(ply.score), result);
            }
        });
        outcome?;
        if numbered.for_validation() {
            sets.validation_games.push(sets.validation.len() - before);
        }
    }
    Ok(sets)
}

/// The tuner has to see what is played.
fn compare(
    position: &Position,
    trace: &SparseTrace,
    weights: &[Pair],
    pawns: &mut PawnTable,
) -> Result<(), FitError> {
    let sum = trace.view().rounded_score(weights);
    let played = evaluate(position, pawns).units();
    let evaluation = match position.side_to_move() {
        // So far apart, playing leaves terms out.
        _ if played.abs() >= LAZY_MARGIN => Breakdown::new(position).white_score().units(),
        Color::White => played,
        Color::Black => -played,
    };
    if (sum - evaluation).abs() <= 1 {
        return Ok(());
    }
    Err(FitError::Mismatch { fen: position.fen(CastlingStyle::Standard), evaluation, sum })
}

/// The memory of a set, in bytes.
fn memory(set: &DataSet) -> usize {
    let coefficients = |sample: &Sample| {
        let trace = set.trace(sample);
        let danger = trace.danger.iter().map(|side| side.len()).sum::<usize>();
        trace.linear.len() + danger + trace.complexity.len()
    };
    let coefficients: usize = set.samples().iter().map(coefficients).sum();
    set.len() * size_of::<Sample>() + coefficients * size_of::<Coefficient>()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use rand::SeedableRng;
    use rand::seq::IndexedRandom;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::data::{Game, Ply};

    const FILTER: Filter = Filter { min_ply: 16, max_score: 1_500, checks: false, noisy: false };

    /// Games of 60 random moves at most; the score of every position of a game is its number.
    fn games(count: i16) -> Vec<Game> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let game = |score| {
            let start = Position::startpos();
            let mut position = start.clone();
            let mut plies = Vec::new();
            for _ in 0..60 {
                let Some(&mv) = position.legal_moves().choose(&mut random) else { break };
                plies.push(Ply { mv, score });
                position.make(mv);
            }
            Game { start, plies, outcome: Outcome::WhiteWin }
        };
        (0..count).map(game).collect()
    }

    #[test]
    fn every_twentieth_game_is_for_validation() {
        let path = std::env::temp_dir().join(format!("tamarin-load-{}.viri", std::process::id()));
        let games = games(45);
        let bytes: Vec<u8> = games.iter().flat_map(|game| game.encode().unwrap()).collect();
        fs::write(&path, bytes).unwrap();
        let loaded = load(core::slice::from_ref(&path), &FILTER, 3).unwrap();
        fs::remove_file(&path).unwrap();
        let scores = |set: &DataSet| {
            let mut scores: Vec<_> = set.samples().iter().map(|s| s.score as i32).collect();
            assert!(scores.is_sorted(), "positions are in the order of the games");
            scores.dedup();
            scores
        };
        assert_eq!(scores(&loaded.validation), [0, 20, 40]);
        assert_eq!(scores(&loaded.training).len(), 42);
        let kept = games.iter().map(|game| {
            let mut kept = 0_usize;
            game.replay(|position, ply| {
                kept +=
                    usize::from(FILTER.keeps(position, ply) && SparseTrace::new(position).is_ok());
            });
            kept
        });
        assert_eq!(loaded.training.len() + loaded.validation.len(), kept.sum::<usize>());
        assert_eq!(loaded.summary.games, 45);
        let games = &loaded.validation_games;
        assert_eq!((games.len(), games.iter().sum()), (3, loaded.validation.len()));
        assert!(loaded.summary.memory > 100 * loaded.training.len());
    }

    #[test]
    fn a_sum_that_is_not_the_evaluation_ends_the_fit() {
        let position = Position::from_fen("4k3/pp6/8/8/8/8/PPP5/4K2R w K - 0 9").unwrap();
        let trace = SparseTrace::new(&position).unwrap();
        let (mut weights, mut pawns) = (current_weights(), PawnTable::new());
        assert!(compare(&position, &trace, &weights, &mut pawns).is_ok());
        weights.iter_mut().flatten().for_each(|half| *half += 2.0);
        let error = compare(&position, &trace, &weights, &mut pawns).unwrap_err();
        assert!(matches!(error, FitError::Mismatch { .. }), "{error}");
    }
}
