//! Why the board does not do what it is asked for.

use std::io;
use std::net::IpAddr;
use std::path::PathBuf;

use tamarin_base::counted;
use tamarin_game::evaluator::EvaluatorError;
use tamarin_game::search::SearcherError;
use tamarin_game::tree::TreeError;
use tamarin_uci::client::LaunchError;
use tamarin_variant_search::LibraryError;

/// A command cannot be carried out, or the server cannot be started. Nothing has changed then.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
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
    #[error("the file {name:?} of kept games: {source}; nothing was changed")]
    Library { name: String, source: io::Error },
    #[error("the rules have {}; the first: {}", counted(.0.len(), "mistake", "mistakes"), .0.first().map_or("", |one| one.message.as_str()))]
    Rules(Vec<tamarin_variant::Diagnostic>),
    #[error("no draw can be claimed here; the game goes on")]
    NoClaim,
    #[error("no draw is offered; the game goes on")]
    NoOffer,
    #[error("there is no move to take back; the game stays as it is")]
    NothingToTakeBack,
    #[error("no move was taken back; the game stays as it is")]
    NothingToPlayAgain,
    #[error("there is no engine {0:?}: start tamarin board with --engine; nothing was changed")]
    NoProgram(String),
    #[error("no person plays here; nothing was changed")]
    NoPerson,
    #[error("no time has run out; the game goes on")]
    NoFlag,
    #[error("{what} goes from {least} to {most}; nothing was changed")]
    Range { what: &'static str, least: usize, most: usize },
    #[error("there is no such game; open one")]
    NoSession,
    #[error("another tamarin board has this game open; go on there, or end that program first")]
    Held,
    #[error("an invitation is for one side of one game; nothing was changed")]
    Guest,
    #[error("a page shows this game; close it first")]
    Shown,
    #[error("this game cannot be resumed: {0}")]
    Damaged(Box<Self>),
    #[error("this game cannot be resumed, because it could not be kept: {0}")]
    Unwritable(String),
    #[error("cannot serve at {address}, port {port}")]
    Bind { address: IpAddr, port: u16, source: io::Error },
    #[error("{}", .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("--engine: {0}")]
    Launch(#[from] LaunchError),
    #[error(transparent)]
    Variant(#[from] LibraryError),
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    #[error("cannot start the server")]
    Start(#[source] io::Error),
    #[error("cannot write the address")]
    Output(#[source] io::Error),
}
