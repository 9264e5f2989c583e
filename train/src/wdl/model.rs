//! The chances to win, draw and lose at a score.

use core::ops::{Range, RangeInclusive};

use tamarin_eval::wdl::{self, Parameter, WdlModel};

use super::simplex;
use crate::data::GameResult;

pub const FULL_MATERIAL: usize = wdl::FULL_MATERIAL as usize;

/// Scores further from zero count as this, in engine units.
pub const MAX_SCORE: i32 = 1_500;

/// Engine units that are counted together.
const BIN: i32 = 5;
const BINS: usize = (2 * MAX_SCORE / BIN) as usize + 1;

/// The most likely model for these games, for scores in engine units.
pub fn fit(counts: &Counts) -> WdlModel {
    let from = |[half_won, bare_half_won, spread, bare_spread]: [f64; 4]| WdlModel {
        half_won: Parameter { full: half_won, empty: bare_half_won },
        spread: Parameter { full: spread, empty: bare_spread },
    };
    let loss = |point: [f64; 4]| counts.cross_entropy(&from(point));
    from(simplex::minimum(loss, [100.0, 200.0, 80.0, 60.0], 20.0))
}

/// The probabilities that White loses, draws and wins, in the order of [`GameResult`].
pub fn chances(model: &WdlModel, score: f64, material: usize) -> [f64; 3] {
    let [win, draw, loss] = model.probabilities(score, material as u32);
    [loss, draw, win]
}

/// Results counted by material and score.
pub struct Counts {
    /// `[material][bin of scores][outcome]`.
    table: Vec<[[u64; 3]; BINS]>,
}

impl Default for Counts {
    fn default() -> Self {
        Self { table: vec![[[0; 3]; BINS]; FULL_MATERIAL + 1] }
    }
}

/// What a model says of some positions, and what happened; each pair in this order.
pub struct Comparison {
    pub positions: u64,
    pub won: [f64; 2],
    pub drawn: [f64; 2],
}

impl Counts {
    /// A position with this score (engine units, White's view) in a game that ended so.
    pub fn add(&mut self, score: i32, material: usize, outcome: GameResult) {
        let bin = (score.clamp(-MAX_SCORE, MAX_SCORE) + MAX_SCORE + BIN / 2) / BIN;
        self.table[material.min(FULL_MATERIAL)][bin as usize][outcome.index()] += 1;
    }

    pub fn total(&self) -> u64 {
        self.table.iter().flatten().flatten().sum()
    }

    /// Results by score, over all material.
    pub fn scores(&self) -> impl Iterator<Item = (f64, [u64; 3])> + '_ {
        (0..BINS).map(|bin| {
            let mut sum = [0; 3];
            for row in &self.table {
                sum.iter_mut().zip(row[bin]).for_each(|(sum, count)| *sum += count);
            }
            (center(bin), sum)
        })
    }

    fn cells(&self) -> impl Iterator<Item = (usize, f64, &[u64; 3])> {
        self.table.iter().enumerate().flat_map(|(material, row)| {
            let cell = move |(bin, results)| (material, center(bin), results);
            row.iter().enumerate().map(cell)
        })
    }

    pub fn cross_entropy(&self, model: &WdlModel) -> f64 {
        let mut sum = 0.0;
        for (material, score, results) in self.cells().filter(|cell| *cell.2 != [0; 3]) {
            let chances = chances(model, score, material);
            for (&count, chance) in results.iter().zip(chances) {
                sum -= count as f64 * chance.max(1e-9).ln();
            }
        }
        sum / self.total().max(1) as f64
    }

    /// How a model does on positions with such material and scores; `None` without any.
    pub fn compare(
        &self,
        model: &WdlModel,
        materials: RangeInclusive<usize>,
        scores: Range<i32>,
    ) -> Option<Comparison> {
        let scores = f64::from(scores.start)..f64::from(scores.end);
        let (mut positions, mut predicted, mut seen) = (0, [0.0; 3], [0; 3]);
        for (material, score, results) in self.cells() {
            if !materials.contains(&material) || !scores.contains(&score) {
                continue;
            }
            let count: u64 = results.iter().sum();
            let chances = chances(model, score, material);
            for outcome in 0..3 {
                predicted[outcome] += chances[outcome] * count as f64;
                seen[outcome] += results[outcome];
            }
            positions += count;
        }
        let share = |outcome: GameResult| {
            let index = outcome.index();
            [predicted[index] / positions as f64, seen[index] as f64 / positions as f64]
        };
        let (won, drawn) = (share(GameResult::WhiteWin), share(GameResult::Draw));
        (positions > 0).then_some(Comparison { positions, won, drawn })
    }
}

fn center(bin: usize) -> f64 {
    f64::from(bin as i32 * BIN - MAX_SCORE)
}
