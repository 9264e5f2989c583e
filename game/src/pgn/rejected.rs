//! Why a game in PGN is left out.

use std::io;

/// Why a game is left out.
#[derive(Debug, thiserror::Error)]
pub enum Rejected {
    /// It is longer than a game can be.
    #[error("longer than 1 MiB")]
    TooLong,
    /// The tag `FEN` is no position.
    #[error("tag FEN: {0}")]
    Fen(String),
    /// The tag `Variant` names another game.
    #[error("a game of {0:?}")]
    Variant(String),
    /// A move is not legal, or none.
    #[error("ply {ply}: {reason}")]
    Move {
        /// Which of the game, from 1.
        ply: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A null move where passing is not possible, as in check.
    #[error("ply {ply}: null move {text:?} in check, where passing is not possible")]
    Pass {
        /// Which of the game, from 1.
        ply: usize,
        /// How it is written.
        text: String,
    },
    /// There are neither tags nor moves in it.
    #[error("neither tags nor moves")]
    NoGame,
    /// Neither the tags nor the moves tell who won, where that is asked.
    #[error("no result")]
    NoResult,
    /// The text breaks off, such as in a comment.
    #[error("malformed: {0}")]
    Malformed(io::Error),
}
