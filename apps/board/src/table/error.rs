//! Why a table does not do what it is asked for.

use crate::seeker::SeekerError;
use crate::tree::TreeError;

/// A command cannot be carried out. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// The tree says why.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// There is no engine.
    #[error(transparent)]
    Seeker(#[from] SeekerError),
    /// The move is illegal.
    #[error("{0}; the position stays as it is")]
    Move(String),
    /// The game is over.
    #[error("the game is over: {0}")]
    Over(String),
    /// It is somebody else's turn.
    #[error("it is {0}'s turn; the position stays as it is")]
    Turn(&'static str),
    /// An earlier position is on the board.
    #[error("the board shows an earlier position; go to the last move to play on")]
    NotAtTip,
    /// A command is of another kind of table.
    #[error("{0} is not there at this table; nothing was changed")]
    Kind(&'static str),
    /// What a table should begin with cannot be had.
    #[error("{0}; the game stays as it is")]
    Begin(String),
    /// A rules file is wrong.
    #[error("the rules have {} mistakes; the first: {}", .0.len(), .0.first().map_or("", |one| one.1.as_str()))]
    Rules(Vec<(tamarin_variant::Span, String)>),
    /// No draw can be claimed.
    #[error("no draw can be claimed here; the game goes on")]
    NoClaim,
    /// No draw is offered.
    #[error("nobody offers a draw; the game goes on")]
    NoOffer,
    /// There is nothing to take back.
    #[error("there is no move to take back; the game stays as it is")]
    NothingToTakeBack,
    /// Nobody is there to do it.
    #[error("no person plays here; nothing was changed")]
    NoPerson,
    /// The flag has not fallen.
    #[error("no time has run out; the game goes on")]
    NoFlag,
    /// A value is out of its range.
    #[error("{what} goes from {least} to {most}; nothing was changed")]
    Range {
        /// What.
        what: &'static str,
        /// The least.
        least: usize,
        /// The greatest.
        most: usize,
    },
}
