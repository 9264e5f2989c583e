//! From games to packed positions, for training and validation.

use core::fmt;
use std::path::PathBuf;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_eval::tuning::is_known_endgame;
use tamarin_eval::{Breakdown, PawnTable, evaluate};
use tamarin_movegen::{Color, Position};

use super::error::NetError;
use super::method::{Method, Scores};
use super::record::Record;
use crate::data::{Filter, NumberedGame, for_each_share};

/// Positions of the games, split by game.
#[derive(Default)]
pub(super) struct Loaded {
    pub training: Vec<Record>,
    pub validation: Vec<Record>,
    /// What the hand-crafted evaluation says of the positions for validation, in engine units,
    /// the side to move's view.
    pub hand_crafted: Vec<f32>,
    pub games: u64,
}

/// What was loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Summary {
    pub games: u64,
    /// Positions to learn from.
    pub training: usize,
    /// Positions kept for validation.
    pub validation: usize,
}

impl Summary {
    /// The one with the longest numbers there may be.
    pub const LARGEST: Self =
        Self { games: 999_999_999, training: 9_999_999_999, validation: 999_999_999 };

    /// Memory of all positions and their order, in bytes.
    const fn memory(&self) -> usize {
        self.training * (size_of::<Record>() + size_of::<u32>())
            + self.validation * (size_of::<Record>() + size_of::<f32>())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, training, validation } = self;
        let mib = self.memory() >> 20;
        write!(f, "{games} games: {training} positions, {validation} for validation, {mib} MiB")
    }
}

impl Loaded {
    /// What was loaded, in numbers.
    pub fn summary(&self) -> Summary {
        let (training, validation) = (self.training.len(), self.validation.len());
        Summary { games: self.games, training, validation }
    }

    /// Adds the positions of other games after its own.
    fn append(&mut self, mut other: Self) {
        self.training.append(&mut other.training);
        self.validation.append(&mut other.validation);
        self.hand_crafted.append(&mut other.hand_crafted);
    }
}

/// Loads all positions that are kept, but for known endgames, of which the network is not asked.
/// Those for validation have the scores of the searches, whatever the method.
pub(super) fn load(
    files: &[PathBuf],
    filter: &Filter,
    method: &Method,
    threads: usize,
) -> Result<Loaded, NetError> {
    let mut loaded = Loaded::default();
    let work = |share: &[NumberedGame]| Ok::<_, NetError>(load_share(share, filter, method));
    loaded.games = for_each_share(files, threads, work, |share| loaded.append(share))?;
    if loaded.training.is_empty() || loaded.validation.is_empty() {
        let Summary { training, validation, .. } = loaded.summary();
        return Err(NetError::TooFew { training, validation });
    }
    Ok(loaded)
}

fn load_share(games: &[NumberedGame], filter: &Filter, method: &Method) -> Loaded {
    let (mut loaded, mut pawns) = (Loaded::default(), PawnTable::new());
    for numbered in games {
        let game = &numbered.game;
        let for_validation = numbered.for_validation();
        if !for_validation && method.scores == Scores::HandCrafted {
            walk_from(numbered, method, &mut pawns, &mut loaded.training);
            continue;
        }
        game.replay(|position, ply| {
            if !filter.keeps(position, ply) || is_known_endgame(position) {
                return;
            }
            let record = Record::new(position, ply.score, Some(game.outcome));
            if for_validation {
                loaded.validation.push(record);
                loaded.hand_crafted.push(hand_crafted(position, &mut pawns));
            } else {
                loaded.training.push(record);
            }
        });
    }
    loaded
}

/// Lets the hand-crafted evaluation judge the positions of a game and those of a random walk from
/// each, but for checks and known endgames.
fn walk_from(
    numbered: &NumberedGame,
    method: &Method,
    pawns: &mut PawnTable,
    records: &mut Vec<Record>,
) {
    let seed = method.seed.wrapping_add(numbered.number);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    numbered.game.replay(|start, _| {
        let mut position = start.clone();
        for ply in 0..=method.random_plies {
            if ply > 0 {
                let Some(&mv) = position.legal_moves().choose(&mut random) else { break };
                position.make(mv);
            }
            if !position.in_check() && !is_known_endgame(&position) {
                let score = evaluate(&position, pawns);
                let white = if position.side_to_move() == Color::White { score } else { -score };
                // An evaluation fits, as all scores do.
                records.push(Record::new(&position, white.units() as i16, None));
            }
        }
    });
}

/// The hand-crafted evaluation in engine units, the side to move's view.
fn hand_crafted(position: &Position, pawns: &mut PawnTable) -> f32 {
    if !position.in_check() {
        return evaluate(position, pawns).units() as f32;
    }
    // Playing evaluates no position in check.
    let white = Breakdown::new(position).white_score();
    let score = if position.side_to_move() == Color::White { white } else { -white };
    score.units() as f32
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tamarin_movegen::Position;

    use super::*;
    use crate::data::{Game, Outcome, Ply};

    const FILTER: Filter = Filter { min_ply: 16, max_score: 1_500, checks: false, noisy: false };

    const METHOD: Method = Method {
        width: None,
        buckets: None,
        scores: Scores::Search,
        random_plies: 2,
        epochs: 1,
        batch: 1,
        rate: 0.0,
        final_rate: 0.0,
        result_share: 0.0,
        decay: 0.0,
        seed: 1,
    };

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

    fn loaded(name: &str, scores: Scores, threads: usize) -> Loaded {
        let name = format!("tamarin-net-{name}-{}.viri", std::process::id());
        let path = std::env::temp_dir().join(name);
        let bytes: Vec<u8> = games(41).iter().flat_map(|game| game.encode().unwrap()).collect();
        fs::write(&path, bytes).unwrap();
        let method = Method { scores, ..METHOD };
        let loaded = load(core::slice::from_ref(&path), &FILTER, &method, threads).unwrap();
        fs::remove_file(&path).unwrap();
        loaded
    }

    #[test]
    fn positions_have_the_scores_of_their_games() {
        let loaded = loaded("search", Scores::Search, 3);
        let numbers = |records: &[Record]| {
            let mut numbers: Vec<_> = records.iter().map(|record| record.score.abs()).collect();
            numbers.dedup();
            numbers
        };
        assert_eq!(numbers(&loaded.validation), [0, 20, 40]);
        assert_eq!(numbers(&loaded.training).len(), 38);
        assert_eq!(loaded.hand_crafted.len(), loaded.validation.len());
        let summary = loaded.summary();
        assert_eq!((summary.games, summary.training), (41, loaded.training.len()));
        // Both sides are to move, and White has won: a score above zero is White's.
        let points = |points| {
            loaded.training.iter().filter(|record| record.points() == Some(points)).count()
        };
        assert!(points(0.0) > 0 && points(1.0) > 0 && points(0.5) == 0);
        let right = |record: &Record| (record.score > 0) == (record.points() == Some(1.0));
        assert!(loaded.training.iter().all(right));
    }

    #[test]
    fn hand_crafted_scores_are_of_more_positions() {
        let [search, found] = [Scores::Search, Scores::HandCrafted]
            .map(|scores| loaded(&format!("{scores:?}"), scores, 2));
        assert_eq!((&found.validation, found.games), (&search.validation, 41));
        assert!(found.training.len() > 3 * search.training.len());
        assert!(found.training.iter().all(|record| record.points().is_none()));
        // Without castling rights many a score is another one.
        let same = |record: &&Record| {
            let position = record.position().unwrap();
            evaluate(&position, &mut PawnTable::new()).units() == i32::from(record.score)
        };
        let same = found.training.iter().filter(same).count();
        assert!(same > found.training.len() / 2, "{same} of {}", found.training.len());
    }
}
