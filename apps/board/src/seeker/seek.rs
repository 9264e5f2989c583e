//! What a search is asked, and what it answers.

use std::sync::{Arc, OnceLock};

use serde::Serialize;
use tamarin_eval::{Score, UNITS_PER_PAWN, UciScore};
use tamarin_game::evaluator::EvaluatorChoice;
use tamarin_game::level::Level;
use tamarin_movegen as chess;
use tamarin_movegen::{Color, PerColor};
use tamarin_search::{Clock, Millis, StartError, TablebaseProbe};
use tamarin_variant as variant;
use tamarin_variant_search as engine;
use tamarin_variant_search::evaluate::learned::Learned;

use tamarin_game::position::Move;

/// Mates farther away, in plies, count as this far.
const FARTHEST: usize = 200;

/// What every engine of the server is given.
#[derive(Clone, Debug)]
pub struct Resources {
    /// Size of the transposition table, in MiB.
    pub hash: usize,
    pub threads: usize,
    /// What evaluates positions of chess, unless a player has an evaluator of its own.
    pub evaluator: EvaluatorChoice,
    /// Endgame tablebases, which all engines share.
    pub tablebases: TablebaseProbe,
    /// What evaluates positions of the variant of this table, if it was learned and does not come
    /// with the program.
    pub learned: Option<Arc<Learned>>,
    /// The address of the page for others in the local network, once they are let in.
    pub invitation: Arc<OnceLock<String>>,
}

impl Resources {
    /// Resources of this size, with the evaluator of the engine and without tablebases.
    pub fn new(hash: usize, threads: usize) -> Self {
        Self {
            hash,
            threads,
            evaluator: EvaluatorChoice::default(),
            tablebases: TablebaseProbe::default(),
            learned: None,
            invitation: Arc::default(),
        }
    }

    /// What evaluates positions of a variant.
    pub fn judge(&self, rules: &Arc<variant::Game>) -> engine::Judge {
        engine::Judge::playing(rules, self.learned.as_ref())
    }
}

#[derive(Clone, Debug)]
pub struct Ask {
    /// How well a player plays; `None` in analysis.
    pub level: Option<Level>,
    pub clocks: PerColor<Option<Clock>>,
    pub move_time: Option<Millis>,
    pub nodes: Option<u64>,
    /// How many best lines.
    pub lines: usize,
    /// Where the chance of weak players comes from.
    pub seed: u64,
    /// The only moves to look at; empty for all.
    pub only: Vec<chess::Move>,
}

impl Default for Ask {
    fn default() -> Self {
        Self {
            level: None,
            clocks: PerColor([None; 2]),
            move_time: None,
            nodes: None,
            lines: 1,
            seed: 0,
            only: Vec::new(),
        }
    }
}

/// What a position is worth for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    Chess(Score),
    Variant(engine::Value),
}

/// A worth as pages show it, White's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Shown {
    /// Centipawns.
    #[serde(rename = "cp")]
    Centipawns(i32),
    /// Moves to the mate; negative if Black mates.
    #[serde(rename = "mate")]
    Mate(i32),
}

impl Worth {
    /// As a score of chess, for what is reckoned from scores: chances, accuracies.
    pub const fn score(self) -> Score {
        match self {
            Self::Chess(score) => score,
            Self::Variant(engine::Value::Centipawns(value)) => {
                Score::new(value * UNITS_PER_PAWN / 100).clamp_to_evaluation()
            }
            Self::Variant(engine::Value::Mate(moves)) => {
                let plies = 2 * (moves.unsigned_abs() as usize);
                let plies = if plies > FARTHEST { FARTHEST } else { plies };
                match moves > 0 {
                    true => Score::mate_in(plies.saturating_sub(1)),
                    false => Score::mated_in(plies),
                }
            }
        }
    }

    /// As White sees it.
    pub fn for_white(self, turn: Color) -> Shown {
        let sign = if turn == Color::White { 1 } else { -1 };
        let moves = |moves: u32| i32::try_from(moves).unwrap_or(i32::MAX);
        match self {
            Self::Chess(score) => match score.to_uci() {
                UciScore::Centipawns(value) => Shown::Centipawns(sign * value),
                UciScore::MateIn(count) => Shown::Mate(sign * moves(count)),
                UciScore::MatedIn(count) => Shown::Mate(-sign * moves(count)),
            },
            Self::Variant(engine::Value::Centipawns(value)) => Shown::Centipawns(sign * value),
            Self::Variant(engine::Value::Mate(count)) => Shown::Mate(sign * count),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct FoundLine {
    /// Its worth for the side to move.
    pub worth: Worth,
    pub pv: Vec<Move>,
}

/// What a search has found so far.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Found {
    /// The last iteration, in plies.
    pub depth: u32,
    pub nodes: u64,
    /// Since the beginning.
    pub time: Millis,
    /// The best lines, the best one first.
    pub lines: Vec<FoundLine>,
}

/// How a search has ended.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move to play; `None` if no move is legal, or the search failed.
    pub best: Option<Move>,
    pub found: Found,
}

/// The engine cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum SeekerError {
    #[error("the engine cannot be started: {0}; the game stays as it is")]
    Chess(#[from] StartError),
    #[error("the engine cannot be started: {0}; the game stays as it is")]
    Variant(#[from] engine::EngineError),
    #[error("the engine cannot be started: {0}; the game stays as it is")]
    Thread(#[from] std::io::Error),
}
