//! What the console commands work with.

use tamarin_movegen::{CastlingNotation, Position};

use crate::evaluator::EvaluatorChoice;
use crate::output::Output;

/// The current position and the output.
pub struct Context<'a> {
    /// The current position; `None` after one was rejected.
    pub position: &'a mut Option<Position>,
    /// What evaluates positions.
    pub evaluator: &'a EvaluatorChoice,
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

    /// The current position.
    ///
    /// # Errors
    /// If there is none.
    pub fn position(&self) -> Result<&Position, NoPosition> {
        self.position.as_ref().ok_or(NoPosition)
    }
}

/// The last `position` command was rejected.
#[derive(Debug, thiserror::Error)]
#[error("there is no position; send a valid position command")]
pub struct NoPosition;
