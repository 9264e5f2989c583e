//! From games to packed positions, for training and validation.

use core::fmt;
use std::path::PathBuf;

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_eval::tuning::is_known_endgame;
use tamarin_eval::{EvalCache, evaluate};
use tamarin_movegen::Color;

use super::error::NetError;
use super::method::{Method, Scores};
use super::record::Record;
use crate::data::{Filter, GameSet, GamesError, HashedGame, Ply, for_each_chunk};

/// A score that is as good as won, in engine units: ten logits.
const CERTAIN: i16 = 2_000;

/// Positions of the games, split by game.
#[derive(Default)]
pub(super) struct Loaded {
    pub training: Vec<Record>,
    pub validation: Vec<Record>,
    /// What the hand-crafted evaluation says of the positions for validation, in engine units,
    /// the side to move's view.
    pub hand_crafted: Vec<f32>,
    set: GameSet,
}

/// What was loaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Summary {
    pub set: GameSet,
    /// Positions to learn from.
    pub training: usize,
    /// Positions kept for validation.
    pub validation: usize,
}

impl Summary {
    /// The one with the longest numbers there may be.
    pub const LARGEST: Self = Self {
        set: GameSet { games: 999_999_999, checksum: 0 },
        training: 9_999_999_999,
        validation: 999_999_999,
    };

    /// Memory of all positions and their order, in bytes.
    const fn memory(&self) -> usize {
        self.training * (size_of::<Record>() + size_of::<u32>())
            + self.validation * (size_of::<Record>() + size_of::<f32>())
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { set: GameSet { games, .. }, training, validation } = self;
        let mib = self.memory() >> 20;
        write!(f, "{games} games: {training} positions, {validation} for validation, {mib} MiB")
    }
}

impl Loaded {
    /// What was loaded, in numbers.
    pub fn summary(&self) -> Summary {
        let (training, validation) = (self.training.len(), self.validation.len());
        Summary { set: self.set, training, validation }
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
    let work = |games: &[HashedGame]| Ok::<_, NetError>(load_games(games, filter, method));
    loaded.set = for_each_chunk(files, threads, work, |games| loaded.append(games))?;
    if loaded.training.is_empty() || loaded.validation.is_empty() {
        let Summary { training, validation, .. } = loaded.summary();
        return Err(GamesError::TooFew { training, validation }.into());
    }
    Ok(loaded)
}

fn load_games(games: &[HashedGame], filter: &Filter, method: &Method) -> Loaded {
    let (mut loaded, mut pawns) = (Loaded::default(), EvalCache::new());
    for hashed in games {
        let game = &hashed.game;
        let for_validation = hashed.for_validation();
        if !for_validation && method.scores == Scores::HandCrafted {
            walk_from(hashed, method, &mut pawns, &mut loaded.training);
            continue;
        }
        let plies = if for_validation { 1 } else { usize::from(method.mean_of) };
        let mut index = 0;
        game.replay(|position, ply| {
            let here = &game.plies[index..];
            index += 1;
            if !filter.keeps(position, ply) || is_known_endgame(position) {
                return;
            }
            let score = mean_score(&here[..plies.min(here.len())]);
            let record = Record::new(position, score, Some(game.outcome));
            if for_validation {
                loaded.validation.push(record);
                loaded.hand_crafted.push(evaluate(position, &mut pawns).units() as f32);
            } else {
                loaded.training.push(record);
            }
        });
    }
    loaded
}

/// The mean of the scores of plies, at least one, as White sees them. Where there are several, a
/// score counts as [`CERTAIN`] if it is further from zero: of mates the distance must not count.
fn mean_score(plies: &[Ply]) -> i16 {
    if let [ply] = plies {
        return ply.score;
    }
    let limited = |ply: &Ply| i32::from(ply.score.clamp(-CERTAIN, CERTAIN));
    let sum: i32 = plies.iter().map(limited).sum();
    // Rounded to the nearest, halves away from zero.
    (f64::from(sum) / plies.len() as f64).round() as i16
}

/// Lets the hand-crafted evaluation judge the positions of a game and those of a random walk from
/// each, but for checks and known endgames.
fn walk_from(
    hashed: &HashedGame,
    method: &Method,
    pawns: &mut EvalCache,
    records: &mut Vec<Record>,
) {
    let seed = method.seed.wrapping_add(hashed.hash);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    hashed.game.replay(|start, _| {
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

#[cfg(test)]
mod tests {
    use tamarin_movegen::Position;

    use super::*;
    use crate::data::samples::{GamesFile, random_games};

    const METHOD: Method = Method {
        width: None,
        buckets: None,
        king_buckets: None,
        scores: Scores::Search,
        random_plies: 2,
        epochs: 1,
        batch: 1,
        rate: 0.0,
        final_rate: 0.0,
        warm_up: 0.0,
        lambda: 0.0,
        mean_of: 1,
        decay: 0.0,
        seed: 1,
    };

    const GAMES: i16 = 80;

    fn loaded(name: &str, scores: Scores, threads: usize) -> Loaded {
        let file = GamesFile::new(name, &random_games(GAMES));
        let method = Method { scores, ..METHOD };
        load(&[file.path().to_owned()], &Filter::USUAL, &method, threads).unwrap()
    }

    #[test]
    fn positions_have_the_scores_of_their_games() {
        let loaded = loaded("net-search", Scores::Search, 3);
        let numbers = |records: &[Record]| {
            let mut numbers: Vec<_> = records.iter().map(|record| record.score.abs()).collect();
            numbers.dedup();
            numbers
        };
        let [training, validation] = [&loaded.training, &loaded.validation].map(|set| numbers(set));
        assert!(training.is_sorted() && validation.is_sorted(), "in the order of the games");
        assert!((1..=8).contains(&validation.len()), "{validation:?}");
        let mut all = [training, validation].concat();
        all.sort_unstable();
        assert_eq!(all, (1..=GAMES).collect::<Vec<_>>());
        assert_eq!(loaded.hand_crafted.len(), loaded.validation.len());
        let summary = loaded.summary();
        assert_eq!((summary.set.games, summary.training), (80, loaded.training.len()));
        // Both sides are to move, and White has won: a score above zero is White's.
        let points = |points| {
            loaded.training.iter().filter(|record| record.points() == Some(points)).count()
        };
        assert!(points(0.0) > 0 && points(1.0) > 0 && points(0.5) == 0);
        let right = |record: &Record| (record.score > 0) == (record.points() == Some(1.0));
        assert!(loaded.training.iter().all(right));
    }

    #[test]
    fn means_are_of_the_next_scores_of_the_game() {
        let mut games = random_games(GAMES);
        for game in &mut games {
            let scores = (-300..).step_by(7).chain([i16::MAX; 2]);
            game.plies.iter_mut().zip(scores).for_each(|(ply, score)| ply.score = score);
            // A mate in the end.
            game.plies.last_mut().unwrap().score = 29_000;
        }
        let file = GamesFile::new("net-means", &games);
        let loaded = |mean_of| {
            let method = Method { mean_of, ..METHOD };
            load(&[file.path().to_owned()], &Filter::USUAL, &method, 2).unwrap()
        };
        let [own, four] = [1, 4].map(loaded);
        assert_eq!((&own.validation, own.training.len()), (&four.validation, four.training.len()));
        let (mut between, mut at_the_end) = (0, 0);
        for (own, mean) in own.training.iter().zip(&four.training) {
            // Three steps of 7 on average 10.5 more for White, or as much less for Black.
            match (i32::from(mean.score) - i32::from(own.score)).abs() {
                10 | 11 => between += 1,
                difference => {
                    assert!(difference > 300, "{difference}");
                    at_the_end += 1;
                }
            }
        }
        assert!(between > 500 && (50..=4 * 80).contains(&at_the_end), "{between} {at_the_end}");
    }

    #[test]
    fn a_mean_takes_mates_for_a_great_score() {
        let mv = *Position::startpos().legal_moves().first().unwrap();
        let plies = |scores: &[i16]| -> Vec<Ply> {
            scores.iter().map(|&score| Ply { mv, score }).collect()
        };
        for (scores, mean) in [
            (&[-31_000][..], -31_000),
            (&[1, 2], 2),
            (&[-1, -2], -2),
            (&[100, 32_000], 1_050),
            (&[0, i16::MIN, -1], -667),
        ] {
            assert_eq!(mean_score(&plies(scores)), mean, "{scores:?}");
        }
    }

    #[test]
    fn hand_crafted_scores_are_of_more_positions() {
        let [search, found] = [Scores::Search, Scores::HandCrafted]
            .map(|scores| loaded(&format!("net-{scores:?}"), scores, 2));
        assert_eq!((&found.validation, found.set), (&search.validation, search.set));
        assert!(found.training.len() > 3 * search.training.len());
        assert!(found.training.iter().all(|record| record.points().is_none()));
        // Without castling rights many a score is another one.
        let same = |record: &&Record| {
            let position = record.position().unwrap();
            evaluate(&position, &mut EvalCache::new()).units() == i32::from(record.score)
        };
        let same = found.training.iter().filter(same).count();
        assert!(same > found.training.len() / 2, "{same} of {}", found.training.len());
    }
}
