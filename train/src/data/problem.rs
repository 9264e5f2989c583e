//! What can be wrong with games in files.

use std::io;

use tamarin_movegen::SetupError;

/// More plies than any game lasts: what goes on for longer has lost its end.
pub(super) const MAX_PLIES: usize = 20_000;

/// What can be wrong with a file of games.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// The system cannot read it.
    #[error("cannot be read")]
    Io(#[from] io::Error),
    /// It ends within a game.
    #[error("ends in the middle of a game")]
    Truncated,
    /// A game has no end.
    #[error("a game of more than {MAX_PLIES} plies")]
    Endless,
    /// The start position has more men than a board is set up with.
    #[error("a start position with {0} pieces")]
    TooManyPieces(u32),
    /// No piece has this code.
    #[error("no piece has the code {0}")]
    PieceCode(u8),
    /// The start position cannot be one of a game.
    #[error("an impossible start position")]
    Position(#[source] SetupError),
    /// No result has this number.
    #[error("no result has the number {0}")]
    Outcome(u8),
    /// A move is not legal.
    #[error("ply {ply} is no legal move ({bits:#06x})")]
    IllegalMove {
        /// Its number in the game, from 1.
        ply: usize,
        /// How it is written.
        bits: u16,
    },
}
