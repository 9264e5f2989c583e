//! From games to traced positions, for training and validation.

use core::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tamarin_eval::tuning::{LAZY_MARGIN, Pair, current_weights};
use tamarin_eval::{Breakdown, EvalCache, Score, evaluate};
use tamarin_movegen::{CastlingStyle, Color, Position};

use super::dataset::{DataSet, Sample};
use super::error::FitError;
use super::sparse::{Coefficient, SparseTrace};
use crate::data::{Filter, GameSet, GamesError, HashedGame, for_each_chunk};

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

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(super) struct Summary {
    pub set: GameSet,
    /// Positions to learn from.
    pub training: usize,
    /// Positions kept out of the fit.
    pub validation: usize,
    /// Memory of both, in bytes.
    memory: usize,
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { set: GameSet { games, .. }, training, validation, memory } = self;
        let mib = memory >> 20;
        write!(f, "{games} games: {training} positions, {validation} for validation, {mib} MiB")
    }
}

/// Loads all positions that are kept. Each is compared with the evaluation: the tuner's sum
/// must be within one unit of it.
pub(super) fn load(files: &[PathBuf], filter: &Filter, threads: usize) -> Result<Loaded, FitError> {
    let mut sets = Sets::default();
    let weights = current_weights();
    let work = |games: &[HashedGame]| trace_games(games, filter, &weights);
    let set = for_each_chunk(files, threads, work, |traced| {
        sets.append(&traced);
        Ok(())
    })?;
    let Sets { training, validation, validation_games } = sets;
    let memory = memory(&training) + memory(&validation);
    let summary = Summary { set, training: training.len(), validation: validation.len(), memory };
    if training.is_empty() || validation.is_empty() {
        let (training, validation) = (training.len(), validation.len());
        return Err(GamesError::TooFew { training, validation }.into());
    }
    Ok(Loaded { training, validation, validation_games, summary })
}

fn trace_games(games: &[HashedGame], filter: &Filter, weights: &[Pair]) -> Result<Sets, FitError> {
    let (mut sets, mut pawns) = (Sets::default(), EvalCache::new());
    for hashed in games {
        let game = &hashed.game;
        let set = if hashed.for_validation() { &mut sets.validation } else { &mut sets.training };
        let before = set.len();
        let mut outcome = Ok(());
        game.replay(|position, ply| {
            if outcome.is_err() || !filter.keeps(position, ply) {
                return;
            }
            // Known endgames have none.
            if let Ok(trace) = SparseTrace::new(position) {
                outcome = compare(position, &trace, weights, &mut pawns);
                set.push(&trace, f32::from(ply.score), game.outcome);
            }
        });
        outcome?;
        if hashed.for_validation() {
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
    pawns: &mut EvalCache,
) -> Result<(), FitError> {
    // Beyond the scores of known wins none is played.
    let sum = Score::estimate(trace.view().rounded_score(weights)).units();
    let played = evaluate(position, pawns).units();
    let evaluation = match position.side_to_move() {
        // So far apart, playing leaves terms out.
        _ if played.abs() >= LAZY_MARGIN => {
            Score::estimate(Breakdown::new(position).sum().total.tapered).units()
        }
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
    use std::path::Path;

    use super::*;
    use crate::data::samples::{GamesFile, random_games};

    const FILTER: Filter = Filter::USUAL;

    fn loaded(files: &[&Path]) -> Loaded {
        let files: Vec<_> = files.iter().map(|path| path.to_path_buf()).collect();
        load(&files, &FILTER, 3).unwrap()
    }

    fn numbers(set: &DataSet) -> Vec<i32> {
        let mut numbers: Vec<_> = set.samples().iter().map(|s| s.score as i32).collect();
        numbers.dedup();
        numbers
    }

    #[test]
    fn positions_are_split_by_game() {
        let games = random_games(100);
        let file = GamesFile::new("fit-split", &games);
        let loaded = loaded(&[file.path()]);
        let [training, validation] = [&loaded.training, &loaded.validation].map(numbers);
        assert!(training.is_sorted() && validation.is_sorted(), "in the order of the games");
        assert!((2..=9).contains(&validation.len()), "{validation:?}");
        let mut all = [training, validation.clone()].concat();
        all.sort_unstable();
        assert_eq!(all, (1..=100).collect::<Vec<_>>());
        let kept = games.iter().map(|game| {
            let mut kept = 0_usize;
            game.replay(|position, ply| {
                kept +=
                    usize::from(FILTER.keeps(position, ply) && SparseTrace::new(position).is_ok());
            });
            kept
        });
        assert_eq!(loaded.training.len() + loaded.validation.len(), kept.sum::<usize>());
        assert_eq!(loaded.summary.set.games, 100);
        let games = &loaded.validation_games;
        assert_eq!((games.len(), games.iter().sum()), (validation.len(), loaded.validation.len()));
        assert!(loaded.summary.memory > 100 * loaded.training.len());
    }

    #[test]
    fn the_content_of_a_game_alone_decides_whether_it_is_for_validation() {
        let games = random_games(150);
        let (first, second) = games.split_at(70);
        let files = [("a", first), ("b", second)].map(|(name, games)| GamesFile::new(name, games));
        let [first, second] = files.each_ref().map(GamesFile::path);
        let [there, back] = [[first, second], [second, first]].map(|files| loaded(&files));
        let of = |loaded: &Loaded| {
            let mut numbers = numbers(&loaded.validation);
            numbers.sort_unstable();
            numbers
        };
        assert_eq!(of(&there), of(&back));
        // A training is of games in their order.
        assert_ne!(there.summary.set.checksum, back.summary.set.checksum);
    }

    #[test]
    fn a_sum_that_is_not_the_evaluation_ends_the_fit() {
        let position = Position::from_fen("4k3/pp6/8/8/8/8/PPP5/4K2R w K - 0 9").unwrap();
        let trace = SparseTrace::new(&position).unwrap();
        let (mut weights, mut pawns) = (current_weights(), EvalCache::new());
        assert!(compare(&position, &trace, &weights, &mut pawns).is_ok());
        weights.iter_mut().flatten().for_each(|half| *half += 2.0);
        let error = compare(&position, &trace, &weights, &mut pawns).unwrap_err();
        assert!(matches!(error, FitError::Mismatch { .. }), "{error}");
    }
}
