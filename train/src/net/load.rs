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
use super::parts::MOST_PARTS;
use super::record::Record;
use crate::data::{Filter, GameSet, GamesError, HashedGame, Ply, for_each_chunk, total_size};

/// A score that is as good as won, in engine units: ten logits.
const CERTAIN: i16 = 2_000;

/// Positions of some games, split by game.
#[derive(Default)]
struct Loaded {
    training: Vec<Record>,
    validation: Vec<Record>,
    hand_crafted: Vec<f32>,
}

#[derive(Default)]
pub(super) struct Validation {
    pub records: Vec<Record>,
    /// What the hand-crafted evaluation says of them, in engine units, the side to move's view.
    pub hand_crafted: Vec<f32>,
    /// All that there were, kept or not.
    seen: usize,
    /// One position in this number is kept; 0 until the first one.
    stride: usize,
}

impl Validation {
    /// Adds positions, of which `most` are kept in the end, evenly spread.
    fn append(&mut self, records: &[Record], hand_crafted: &[f32], most: usize) {
        self.stride = self.stride.max(1);
        for (&record, &score) in records.iter().zip(hand_crafted) {
            if self.seen.is_multiple_of(self.stride) {
                self.records.push(record);
                self.hand_crafted.push(score);
            }
            self.seen += 1;
            if self.records.len() > most.max(1) {
                every_other(&mut self.records);
                every_other(&mut self.hand_crafted);
                self.stride *= 2;
            }
        }
    }
}

/// Keeps the first of a list, the third and so on.
fn every_other<T>(list: &mut Vec<T>) {
    let mut index = 0;
    list.retain(|_| {
        index += 1;
        index % 2 == 1
    });
}

/// Bytes that a position to learn from takes in memory, with its place in the order.
const POSITION: u64 = (size_of::<Record>() + size_of::<u32>()) as u64;

/// Bytes that a position for validation takes.
const VALIDATION_POSITION: u64 = (size_of::<Record>() + size_of::<f32>()) as u64;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Summary {
    pub set: GameSet,
    /// Positions to learn from.
    pub training: usize,
    /// Positions kept for validation.
    pub validation: usize,
    /// Files with positions to learn from; 0 if all are in memory.
    pub parts: usize,
}

impl Summary {
    /// The one with the longest numbers there may be.
    pub const LARGEST: Self = Self {
        set: GameSet { games: 999_999_999, checksum: 0 },
        training: 9_999_999_999,
        validation: 999_999_999,
        parts: MOST_PARTS,
    };

    /// Memory of all positions that are in memory at once and of their order, in bytes.
    const fn memory(&self) -> u64 {
        let parts = if self.parts == 0 { 1 } else { self.parts };
        self.training.div_ceil(parts) as u64 * POSITION
            + self.validation as u64 * VALIDATION_POSITION
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { set: GameSet { games, .. }, training, validation, parts } = self;
        let mib = self.memory() >> 20;
        write!(f, "{games} games: {training} positions, {validation} for validation, {mib} MiB")?;
        if *parts > 0 { write!(f, ", {parts} parts on disk") } else { Ok(()) }
    }
}

/// Which games to load, and how.
pub(super) struct Source<'a> {
    pub files: &'a [PathBuf],
    pub filter: &'a Filter,
    pub method: &'a Method,
    pub threads: usize,
}

impl Source<'_> {
    /// Loads all positions that are kept, but for known endgames, of which the network is not asked.
    /// `take` gets those to learn from in their order. Of those for validation, which have the scores
    /// of the searches, whatever the method, `most` are kept.
    pub fn load(
        &self,
        most: usize,
        mut take: impl FnMut(Vec<Record>) -> Result<(), NetError>,
    ) -> Result<(Validation, Summary), NetError> {
        let (mut validation, mut training) = (Validation::default(), 0);
        let work = |games: &[HashedGame]| Ok(load_games(games, self.filter, self.method));
        let set = for_each_chunk(self.files, self.threads, work, |loaded: Loaded| {
            validation.append(&loaded.validation, &loaded.hand_crafted, most);
            training += loaded.training.len();
            take(loaded.training)
        })?;
        let summary = Summary { set, training, validation: validation.records.len(), parts: 0 };
        if training == 0 || summary.validation == 0 {
            return Err(GamesError::TooFew { training, validation: summary.validation }.into());
        }
        Ok((validation, summary))
    }

    /// How many files the positions to learn from have to be dealt out to, so that there is memory of
    /// `mib` MiB for the largest: 0 if all fit into it. Reckoned by the size of the games, as if
    /// every position were kept.
    pub fn parts(&self, mib: u64) -> Result<usize, NetError> {
        let plies = total_size(self.files).map_err(GamesError::from)? / 4;
        let positions = match self.method.scores {
            Scores::Search => plies,
            Scores::HandCrafted => plies * (1 + u64::from(self.method.random_plies)),
        };
        let (bytes, memory) = (positions * POSITION, mib << 20);
        // A quarter is for the validation; parts are not of the same size, and half of it is theirs.
        if bytes <= memory / 4 * 3 {
            return Ok(0);
        }
        let parts = bytes.div_ceil(memory / 2) as usize;
        if parts > MOST_PARTS {
            let needed = (bytes * 2).div_ceil(MOST_PARTS as u64).div_ceil(1 << 20);
            return Err(NetError::Memory { mib, needed });
        }
        Ok(parts)
    }
}

/// Positions for validation that a quarter of the memory holds.
pub(super) const fn most_for_validation(mib: u64) -> usize {
    ((mib << 20) / 4 / VALIDATION_POSITION) as usize
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

    /// All that [`Source::load`] gives.
    struct All {
        training: Vec<Record>,
        validation: Validation,
        summary: Summary,
    }

    fn load(file: &GamesFile, method: &Method, threads: usize, most: usize) -> All {
        let files = [file.path().to_owned()];
        let source = Source { files: &files, filter: &Filter::USUAL, method, threads };
        let mut training = Vec::new();
        let take = |mut records| {
            training.append(&mut records);
            Ok(())
        };
        let (validation, summary) = source.load(most, take).unwrap();
        All { training, validation, summary }
    }

    fn loaded(name: &str, scores: Scores, threads: usize) -> All {
        let file = GamesFile::new(name, &random_games(GAMES));
        load(&file, &Method { scores, ..METHOD }, threads, usize::MAX)
    }

    #[test]
    fn too_many_positions_for_validation_are_thinned_out() {
        let file = GamesFile::new("net-thin", &random_games(GAMES));
        let all = load(&file, &METHOD, 2, usize::MAX).validation;
        for (most, stride) in [(all.records.len(), 1), (all.records.len() - 1, 2), (20, 8)] {
            let few = load(&file, &METHOD, 3, most).validation;
            let stride = if most == 20 { few.stride } else { stride };
            assert!(few.records.len() <= most && few.records.len() > most / 2 - 1);
            let wanted: Vec<_> = all.records.iter().step_by(stride).copied().collect();
            let scores: Vec<_> = all.hand_crafted.iter().step_by(stride).copied().collect();
            assert_eq!((few.records, few.hand_crafted), (wanted, scores), "{most}");
        }
    }

    #[test]
    fn parts_are_made_where_the_memory_is_too_small() {
        let file = GamesFile::new("net-memory", &random_games(GAMES));
        let files = vec![file.path().to_owned(); 3_000];
        let parts = |scores, mib| {
            let method = Method { scores, ..METHOD };
            Source { files: &files, filter: &Filter::USUAL, method: &method, threads: 1 }.parts(mib)
        };
        // Some 14 million plies at 36 bytes: 0.5 GB.
        let plies = total_size(&files).unwrap() / 4;
        let mib = (plies * 36) >> 20;
        assert_eq!(parts(Scores::Search, mib * 3 / 2).unwrap(), 0);
        assert_eq!(parts(Scores::Search, mib).unwrap(), 3);
        assert!((6..=7).contains(&parts(Scores::HandCrafted, mib).unwrap()));
        let error = parts(Scores::Search, 1).unwrap_err();
        let NetError::Memory { mib: 1, needed } = error else { panic!("{error}") };
        assert!(parts(Scores::Search, needed).unwrap() <= MOST_PARTS && needed > 1);
        assert!(parts(Scores::Search, needed - 1).is_err());
    }

    #[test]
    fn positions_have_the_scores_of_their_games() {
        let loaded = loaded("net-search", Scores::Search, 3);
        let numbers = |records: &[Record]| {
            let mut numbers: Vec<_> = records.iter().map(|record| record.score.abs()).collect();
            numbers.dedup();
            numbers
        };
        let [training, validation] =
            [&loaded.training, &loaded.validation.records].map(|set| numbers(set));
        assert!(training.is_sorted() && validation.is_sorted(), "in the order of the games");
        assert!((1..=8).contains(&validation.len()), "{validation:?}");
        let mut all = [training, validation].concat();
        all.sort_unstable();
        assert_eq!(all, (1..=GAMES).collect::<Vec<_>>());
        assert_eq!(loaded.validation.hand_crafted.len(), loaded.validation.records.len());
        let summary = loaded.summary;
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
            load(&file, &method, 2, usize::MAX)
        };
        let [own, four] = [1, 4].map(loaded);
        assert_eq!(own.validation.records, four.validation.records);
        assert_eq!(own.training.len(), four.training.len());
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
        assert_eq!(found.validation.records, search.validation.records);
        assert_eq!(found.summary.set, search.summary.set);
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
