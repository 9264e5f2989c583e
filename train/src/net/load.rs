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

use super::positions::MOST_PARTS;
use super::record::Record;
use super::training::{Method, Scores};
use crate::data::{Filter, GameSet, HashedGame, Ply, check_counts, for_each_chunk, total_size};
use crate::error::{Result, reject};

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
pub struct Validation {
    pub records: Vec<Record>,
    /// What the hand-crafted evaluation says of them, in engine units, the side to move's view.
    pub hand_crafted: Vec<f32>,
    /// All that there were, kept or not.
    seen: usize,
    /// One position in this number is kept; 0 until the first one.
    pub stride: usize,
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
pub struct Summary {
    pub set: GameSet,
    pub training: usize,
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
pub struct Source<'a> {
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
        mut take: impl FnMut(Vec<Record>) -> Result<()>,
    ) -> Result<(Validation, Summary)> {
        let (mut validation, mut training) = (Validation::default(), 0);
        let work = |games: &[HashedGame]| load_games(games, self.filter, self.method);
        let set = for_each_chunk(self.files, self.threads, work, |loaded: Loaded| {
            validation.append(&loaded.validation, &loaded.hand_crafted, most);
            training += loaded.training.len();
            take(loaded.training)
        })?;
        let summary = Summary { set, training, validation: validation.records.len(), parts: 0 };
        check_counts(training, summary.validation)?;
        Ok((validation, summary))
    }

    /// How many files the positions to learn from have to be dealt out to, so that there is memory of
    /// `mib` MiB for the largest: 0 if all fit into it. Reckoned by the size of the games, as if
    /// every position were kept.
    pub fn parts(&self, mib: u64) -> Result<usize> {
        let plies = total_size(self.files)? / 4;
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
            reject!("{mib} MiB are too little memory for the positions: it takes {needed}");
        }
        Ok(parts)
    }
}

/// Positions for validation that a quarter of the memory holds.
pub const fn most_for_validation(mib: u64) -> usize {
    ((mib << 20) / 4 / VALIDATION_POSITION) as usize
}

fn load_games(games: &[HashedGame], filter: &Filter, method: &Method) -> Result<Loaded> {
    let (mut loaded, mut pawns) = (Loaded::default(), EvalCache::new());
    for hashed in games {
        let game = &hashed.game;
        let for_validation = hashed.for_validation();
        if !for_validation && method.scores == Scores::HandCrafted {
            walk_from(hashed, method, &mut pawns, &mut loaded.training)?;
            continue;
        }
        let plies = if for_validation { 1 } else { usize::from(method.mean_of) };
        let mut index = 0;
        game.replay(|position, ply| {
            let here = &game.plies[index..];
            index += 1;
            if !filter.keeps(position, ply) || is_known_endgame(position) {
                return Ok(());
            }
            let score = mean_score(&here[..plies.min(here.len())]);
            let record = Record::new(position, score, Some(game.outcome));
            if for_validation {
                loaded.validation.push(record);
                loaded.hand_crafted.push(evaluate(position, &mut pawns).units() as f32);
            } else {
                loaded.training.push(record);
            }
            Ok(())
        })?;
    }
    Ok(loaded)
}

/// The mean of the scores of plies, at least one, as White sees them. Where there are several, a
/// score counts as `CERTAIN` if it is further from zero: of mates the distance must not count.
pub fn mean_score(plies: &[Ply]) -> i16 {
    if let [ply] = plies {
        return ply.score;
    }
    let limited = |ply: &Ply| i32::from(ply.score.clamp(-CERTAIN, CERTAIN));
    let sum: i32 = plies.iter().map(limited).sum();
    // Rounded to the nearest, halves away from zero.
    (f64::from(sum) / plies.len() as f64).round() as i16
}

/// Adds the scores of the hand-crafted evaluation for the positions of a game and those of a random walk from
/// each, but for checks and known endgames.
fn walk_from(
    hashed: &HashedGame,
    method: &Method,
    pawns: &mut EvalCache,
    records: &mut Vec<Record>,
) -> Result<()> {
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
        Ok(())
    })
}
