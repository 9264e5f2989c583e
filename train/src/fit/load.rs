//! From games to traced positions, for training and validation.

use core::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tamarin_eval::tuning::{LAZY_MARGIN, Pair, current_weights};
use tamarin_eval::{Breakdown, EvalCache, Score, evaluate};
use tamarin_movegen::{CastlingStyle, Color, Position};

use super::dataset::{DataSet, Sample};
use super::sparse::{Coefficient, SparseTrace};
use crate::data::{Filter, GameSet, HashedGame, for_each_chunk};
use crate::error::{Result, reject};

/// Positions of the games, split by game.
pub struct Loaded {
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
pub struct Summary {
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
pub fn load(files: &[PathBuf], filter: &Filter, threads: usize) -> Result<Loaded> {
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
        reject!(
            "the games hold {training} positions to learn from and {validation} to validate with"
        );
    }
    Ok(Loaded { training, validation, validation_games, summary })
}

fn trace_games(games: &[HashedGame], filter: &Filter, weights: &[Pair]) -> Result<Sets> {
    let (mut sets, mut pawns) = (Sets::default(), EvalCache::new());
    for hashed in games {
        let game = &hashed.game;
        let set = if hashed.for_validation() { &mut sets.validation } else { &mut sets.training };
        let before = set.len();
        game.replay(|position, ply| {
            // Known endgames have no trace.
            if filter.keeps(position, ply)
                && let Ok(trace) = SparseTrace::new(position)
            {
                compare(position, &trace, weights, &mut pawns)?;
                set.push(&trace, f32::from(ply.score), game.outcome);
            }
            Ok(())
        })?;
        if hashed.for_validation() {
            sets.validation_games.push(sets.validation.len() - before);
        }
    }
    Ok(sets)
}

/// The tuner has to see what is played.
pub fn compare(
    position: &Position,
    trace: &SparseTrace,
    weights: &[Pair],
    pawns: &mut EvalCache,
) -> Result<()> {
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
    if (sum - evaluation).abs() > 1 {
        let fen = position.fen(CastlingStyle::Standard);
        reject!("the evaluation of {fen} is {evaluation}, the tuner reckons {sum}");
    }
    Ok(())
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
