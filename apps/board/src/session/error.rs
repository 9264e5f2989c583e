//! Why a session does not do what it is asked for.

use tamarin_base::counted;

use tamarin_game::search::SearcherError;
use tamarin_game::tree::TreeError;

/// A command cannot be carried out. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The tree says why.
    #[error(transparent)]
    Tree(#[from] TreeError),
    #[error(transparent)]
    Searcher(#[from] SearcherError),
    #[error("{0}; the position stays as it is")]
    Move(String),
    #[error("the game is over: {0}")]
    Over(String),
    #[error("it is {0}'s turn; the position stays as it is")]
    Turn(&'static str),
    #[error("the board shows an earlier position; go to the last move to play on")]
    NotAtTip,
    #[error("both players see this board; it shows the last move until the game is over")]
    Shared,
    #[error("{0} is not possible here; nothing was changed")]
    Kind(&'static str),
    #[error("{0}; the game stays as it is")]
    Begin(String),
    #[error("the rules have {}; the first: {}", counted(.0.len(), "mistake", "mistakes"), .0.first().map_or("", |one| one.message.as_str()))]
    Rules(Vec<tamarin_variant::Diagnostic>),
    #[error("no draw can be claimed here; the game goes on")]
    NoClaim,
    #[error("no draw is offered; the game goes on")]
    NoOffer,
    #[error("there is no move to take back; the game stays as it is")]
    NothingToTakeBack,
    #[error("no person plays here; nothing was changed")]
    NoPerson,
    #[error("no time has run out; the game goes on")]
    NoFlag,
    #[error("{what} goes from {least} to {most}; nothing was changed")]
    Range { what: &'static str, least: usize, most: usize },
}
