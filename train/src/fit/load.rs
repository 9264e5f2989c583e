//! From games to traced positions, for training and validation.

use core::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tamarin_eval::tuning::{LAZY_MARGIN, Pair, current_weights};
use tamarin_eval::{Breakdown, EvalCache, Score, evaluate};
use tamarin_movegen::{CastlingStyle, Color, Position};

use super::sparse::DataSet;
use super::sparse::SparseTrace;
use crate::data::{Filter, GameSet, HashedGame, check_counts, for_each_chunk};
use crate::error::{Result, reject};

/// Positions of the games, split by game.
#[derive(Default)]
pub struct Loaded {
    pub training: DataSet,
    pub validation: DataSet,
    /// How many positions for validation each game has, in the order of the set.
    pub validation_games: Vec<usize>,
    pub summary: Summary,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Summary {
    pub set: GameSet,
    pub training: usize,
    pub validation: usize,
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
    let mut loaded = Loaded::default();
    let weights = current_weights();
    let work = |games: &[HashedGame]| trace_games(games, filter, &weights);
    let set = for_each_chunk(files, threads, work, |more| {
        loaded.training.append(&more.training);
        loaded.validation.append(&more.validation);
        loaded.validation_games.extend(&more.validation_games);
        Ok(())
    })?;
    let Loaded { training, validation, .. } = &loaded;
    let memory = training.memory() + validation.memory();
    let summary =
        Summary { set, training: training.count(), validation: validation.count(), memory };
    check_counts(training.count(), validation.count())?;
    Ok(Loaded { summary, ..loaded })
}

fn trace_games(games: &[HashedGame], filter: &Filter, weights: &[Pair]) -> Result<Loaded> {
    let (mut sets, mut pawns) = (Loaded::default(), EvalCache::new());
    for hashed in games {
        let game = &hashed.game;
        let set = if hashed.for_validation() { &mut sets.validation } else { &mut sets.training };
        let before = set.count();
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
            sets.validation_games.push(sets.validation.count() - before);
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
