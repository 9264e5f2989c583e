//! What can be wrong with games in files.

use std::io;

use tamarin_movegen::SetupError;

/// More plies than any game lasts: what goes on for longer has lost its end.
pub(super) const MAX_PLIES: usize = 20_000;

/// What can be wrong with a file of games.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    #[error("cannot be read")]
    Io(#[from] io::Error),
    #[error("ends in the middle of a game")]
    Truncated,
    #[error("a game of more than {MAX_PLIES} plies")]
    Endless,
    #[error("a start position with {0} pieces")]
    TooManyPieces(u32),
    #[error("no piece has the code {0}")]
    PieceCode(u8),
    #[error("an impossible start position")]
    Position(#[source] SetupError),
    #[error("no result has the number {0}")]
    Outcome(u8),
    #[error("ply {ply} is no legal move ({bits:#06x})")]
    IllegalMove {
        /// Its number in the game, from 1.
        ply: usize,
        /// How it is written.
        bits: u16,
    },
}
