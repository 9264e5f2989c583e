//! The start positions of Chess960 by lot.

use std::io;

pub use tamarin_movegen::CHESS960_POSITIONS as POSITIONS;

use crate::position::{Castling, Position};

/// A number that is drawn.
pub fn any() -> io::Result<u16> {
    let number = getrandom::u32().map_err(|error| io::Error::other(error.to_string()))?;
    Ok((number % u32::from(POSITIONS)) as u16)
}

/// The first position of a game: that of this number, or any.
pub fn start(number: Option<u16>) -> io::Result<Position> {
    let number = number.map_or_else(any, Ok)?;
    let position = tamarin_movegen::Position::chess960(number)
        .ok_or_else(|| io::Error::other(format!("no start position {number}: 0 to 959")))?;
    Ok(Position::Chess(Box::new(position), Castling::Chess960))
}
