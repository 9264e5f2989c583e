//! How the moves of a protocol are written.

use tamarin_movegen::CastlingNotation;

/// How the moves of a protocol are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    Uci(CastlingNotation),
    /// Coordinates, rows from 0 on boards with ten of them; castling in Chess960 is `O-O` or
    /// `O-O-O`. SAN is read too.
    XBoard(CastlingNotation),
}
