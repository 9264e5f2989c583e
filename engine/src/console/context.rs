//! What the console commands work with.

use tamarin_movegen::{CastlingNotation, Position};
use tamarin_variant_search::AnyEvaluator;

use crate::output::Output;
use tamarin_game::evaluator::EvaluatorChoice;
use tamarin_game::played::Played;

/// A larger file of positions for the benchmark is refused before it fills the memory.
pub const MAX_MEBIBYTES: u64 = 64;

/// The game and the output.
pub struct Context<'a> {
    /// The game in force; `None` after a rejected position.
    pub game: Option<&'a Played>,
    pub evaluator: &'a EvaluatorChoice,
    /// What evaluates positions of the variant in force; `None` in standard chess.
    pub variant_evaluator: Option<AnyEvaluator>,
    /// How castling is printed.
    pub notation: CastlingNotation,
    /// Where the answer goes.
    pub output: &'a Output,
}

impl Context<'_> {
    /// Prints one line or several.
    pub fn print(&self, text: &str) {
        self.output.line(text);
    }

    /// The game in force.
    pub fn game(&self) -> Result<&Played, NoPosition> {
        self.game.ok_or(NoPosition::Rejected)
    }

    /// The position on the board, for a command of standard chess.
    pub fn chess(&self, command: &'static str) -> Result<&Position, NoPosition> {
        self.game()?.as_chess().ok_or(NoPosition::Variant(command))
    }
}

#[derive(Debug, thiserror::Error)]
pub enum NoPosition {
    #[error("there is no position; send a valid position command")]
    Rejected,
    #[error("{0} is for standard chess only")]
    Variant(&'static str),
}
