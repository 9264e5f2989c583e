//! A training game.

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
