//! Clocks, and what a search waits for.

use crate::millis::Millis;

/// A chess clock as one side sees it before its move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Clock {
    /// What is left; zero if the flag has fallen already.
    pub left: Millis,
    /// What each move adds.
    pub increment: Millis,
    /// Moves until the next time control, if there is one; zero counts as one.
    pub moves_to_go: Option<u32>,
}

/// Whether a search has to wait for a command before it may answer.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Wait {
    /// It answers as soon as any limit is reached.
    #[default]
    No,
    /// It answers only after a stop (`go infinite`).
    UntilStop,
    /// The opponent is thinking (`go ponder`): clocks start at the ponder hit.
    Ponder,
}
