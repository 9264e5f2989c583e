//! A training game, and which of its positions are fit to learn from.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tamarin_movegen::{Color, Move, Outcome, Position};

use crate::error::Result;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameResult {
    BlackWin,
    Draw,
    WhiteWin,
}

impl GameResult {
    pub const ALL: [Self; 3] = [Self::BlackWin, Self::Draw, Self::WhiteWin];

    /// The number viriformat gives it: 0, 1 or 2.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// What the game is worth to White: 0, 0.5 or 1.
    pub const fn for_white(self) -> f32 {
        match self {
            Self::BlackWin => 0.0,
            Self::Draw => 0.5,
            Self::WhiteWin => 1.0,
        }
    }

    pub fn of_winner(winner: Option<Color>) -> Self {
        winner.map_or(Self::Draw, Self::won_by)
    }

    pub const fn won_by(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWin,
            Color::Black => Self::BlackWin,
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        Self::of_winner(outcome.winner)
    }
}

/// A move and what the engine thought of the position before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    pub mv: Move,
    /// The score of the search in engine units, from White's point of view.
    pub score: i16,
}

#[derive(Clone, Debug)]
pub struct Game {
    pub start: Position,
    pub plies: Vec<Ply>,
    pub outcome: GameResult,
}

impl Game {
    /// Shows each position of the game with what was played in it. The position knows its
    /// history from the start of the game on.
    pub fn replay(&self, mut visit: impl FnMut(&Position, Ply) -> Result<()>) -> Result<()> {
        let mut position = self.start.clone();
        for &ply in &self.plies {
            visit(&position, ply)?;
            position.make(ply.mv);
        }
        Ok(())
    }
}

/// The result expected at a score in engine units, 0 to 1.
pub fn expected(score: f32, k: f32) -> f32 {
    1.0 / (1.0 + (-k * score).exp())
}

/// Leaves out what a static evaluation cannot or need not judge: positions in check, and what the
/// options say.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Filter {
    /// Leave out the first plies of the game, random ones and book included
    #[arg(long, default_value_t = Filter::USUAL.min_ply, value_name = "N")]
    pub min_ply: u32,

    /// Leave out scores further from zero than this, in engine units
    #[arg(long, default_value_t = Filter::USUAL.max_score, value_name = "UNITS")]
    pub max_score: u16,

    /// Keep positions whose best move is a capture or a promotion
    #[arg(long)]
    pub noisy: bool,
}

impl Filter {
    /// The filter without any option.
    pub const USUAL: Self = Self { min_ply: 10, max_score: 1_500, noisy: false };

    /// Returns `true` if the position, in which `ply` was played, is kept.
    pub fn keeps(&self, position: &Position, ply: Ply) -> bool {
        !position.in_check() && self.allows(position, ply)
    }

    /// As [`Self::keeps`], whether the position is a check or not.
    fn allows(&self, position: &Position, ply: Ply) -> bool {
        game_ply(position) >= self.min_ply
            && ply.score.unsigned_abs() <= self.max_score
            && (self.noisy || !ply.mv.is_noisy())
    }
}

/// A [`Filter`] that can let checks through, where nothing is evaluated.
#[derive(clap::Args, Clone, Copy, PartialEq, Eq, Debug)]
pub struct FilterWithChecks {
    #[command(flatten)]
    pub filter: Filter,

    /// Keep positions in check
    #[arg(long)]
    pub checks: bool,
}

/// Files of games, and which of their positions are kept.
#[derive(clap::Args, Clone, Debug)]
pub struct FilteredGames {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub filter: FilterWithChecks,
}

impl FilterWithChecks {
    /// Returns `true` if the position, in which `ply` was played, is kept.
    pub fn keeps(&self, position: &Position, ply: Ply) -> bool {
        (self.checks || !position.in_check()) && self.filter.allows(position, ply)
    }
}

/// The plies before a position by its move number, as a FEN has it.
fn game_ply(position: &Position) -> u32 {
    let moves = u32::from(position.fullmove_number()) - 1;
    2 * moves + u32::from(position.side_to_move() == Color::Black)
}
