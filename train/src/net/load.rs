//! From games to packed positions, for training and validation.

use core::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tamarin_eval::tuning::is_known_endgame;
use tamarin_eval::{Breakdown, PawnTable, evaluate};
use tamarin_movegen::{Color, Position};

use super::error::NetError;
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
pub(super) fn load(files: &[PathBuf], filter: &Filter, threads: usize) -> Result<Loaded, NetError> {
    let mut loaded = Loaded::default();
    let work = |share: &[NumberedGame]| Ok::<_, NetError>(load_share(share, filter));
    loaded.games = for_each_share(files, threads, work, |share| loaded.append(share))?;
    if loaded.training.is_empty() || loaded.validation.is_empty() {
        let Summary { training, validation, .. } = loaded.summary();
        return Err(NetError::TooFew { training, validation });
    }
    Ok(loaded)
}

fn load_share(games: &[NumberedGame], filter: &Filter) -> Loaded {
    let (mut loaded, mut pawns) = (Loaded::default(), PawnTable::new());
    for numbered in games {
        let game = &numbered.game;
        game.replay(|position, ply| {
            if !filter.keeps(position, ply) || is_known_endgame(position) {
                return;
            }
            let record = Record::new(position, ply.score, game.outcome);
            if numbered.for_validation() {
                loaded.validation.push(record);
                loaded.hand_crafted.push(hand_crafted(position, &mut pawns));
            } else {
                loaded.training.push(record);
            }
        });
    }
    loaded
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
