//! Why a game with a peer could not go on.

use std::io;
use std::time::Duration;

use tamarin_base::counted;
use tamarin_variant::MoveTextError;

use super::board::BoardError;
use super::message::{MAX_LINE, Message, VERSION, printable};

#[derive(Debug, thiserror::Error)]
pub(crate) enum PeerError {
    #[error("the connection is lost: {0}")]
    Io(#[from] io::Error),
    #[error("no message for {} s", .0.as_secs_f64())]
    Silent(Duration),
    #[error("the connection was closed in the middle of a game or message")]
    Closed,
    #[error("a line is longer than {MAX_LINE} bytes")]
    TooLong,
    #[error("{} of one connection; connect again for more", counted(*.0, "game is the most", "games are the most"))]
    Games(u32),
    #[error("{} here, and no more can", counted(*.0, "program plays", "programs play"))]
    Full(u32),
    #[error("the system gives no thread: {0}")]
    Thread(#[source] io::Error),
    #[error("not a message: {0}")]
    Message(String),
    #[error("a message {found:?}, where {wanted} was expected")]
    Unexpected { found: &'static str, wanted: &'static str },
    #[error("version {0} of the protocol; this is version {VERSION}")]
    Version(u32),
    #[error("there is no game {:?} here", printable(.0))]
    Variant(String),
    #[error("not a position of this game: {0}")]
    Board(#[from] BoardError),
    #[error("after {}: {}", counted(*plies, "ply", "plies"), printable(&.source.to_string()))]
    Move { plies: usize, source: MoveTextError },
    #[error("the game is {theirs} to the peer, by the rules of this program it is {own}")]
    Disagreement { own: String, theirs: String },
    #[error("the peer says: {}", printable(.0))]
    Said(String),
    #[error("{0}")]
    Player(String),
}

impl PeerError {
    /// A message that was not expected.
    pub(super) fn unexpected(found: &Message, wanted: &'static str) -> Self {
        Self::Unexpected { found: found.kind(), wanted }
    }

    /// Returns `true` if the peer is informed.
    pub(super) fn is_for_the_peer(&self) -> bool {
        !matches!(self, Self::Io(_) | Self::Closed | Self::Said(_))
    }
}
