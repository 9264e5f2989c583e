//! The start positions of Chess960 by their numbers.

use std::io;

use tamarin_movegen::{FenError, Position};

use crate::position::{self, Castling};

/// How many there are.
pub const POSITIONS: u16 = 960;

/// Where both knights stand among the five squares that are left, by a tenth of the number.
const KNIGHTS: [(usize, usize); 10] =
    [(0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)];

/// A number that is drawn.
pub fn any() -> io::Result<u16> {
    let number = getrandom::u32().map_err(|error| io::Error::other(error.to_string()))?;
    Ok((number % u32::from(POSITIONS)) as u16)
}

/// The first position of a game: that of this number, or any.
pub fn start(number: Option<u16>) -> io::Result<position::Position> {
    let number = number.map_or_else(any, Ok)?;
    let position = position(number).map_err(io::Error::other)?;
    Ok(position::Position::Chess(Box::new(position), Castling::Chess960))
}

/// The start position of this number, 0 to 959; 518 is that of chess.
///
/// Source: the numbering of Reinhard Scharnagl.
pub fn position(number: u16) -> Result<Position, FenError> {
    let mut row = [' '; 8];
    let mut rest = usize::from(number % POSITIONS);
    let mut digit = |base: usize| {
        let digit = rest % base;
        rest /= base;
        digit
    };
    row[2 * digit(4) + 1] = 'b';
    row[2 * digit(4)] = 'b';
    let queen = digit(6);
    let (first, second) = KNIGHTS[digit(10)];
    let mut put = |free: usize, piece: char| {
        let mut squares = row.iter_mut().filter(|square| **square == ' ');
        if let Some(square) = squares.nth(free) {
            *square = piece;
        }
    };
    put(queen, 'q');
    put(second, 'n');
    put(first, 'n');
    ['r', 'k', 'r'].into_iter().for_each(|piece| put(0, piece));
    let black: String = row.iter().collect();
    let white = black.to_uppercase();
    Position::from_fen(&format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1"))
}

#[cfg(test)]
mod tests {
    use super::{POSITIONS, position};
    use std::collections::BTreeSet;
    use tamarin_movegen::Position;

    #[test]
    fn every_number_is_a_position_of_its_own_and_518_is_chess() {
        assert_eq!(position(518).unwrap().to_string(), Position::startpos().to_string());
        let row = |number| position(number).unwrap().to_string()[..8].to_owned();
        assert_eq!((row(0), row(959)), ("bbqnnrkr".into(), "rkrnnqbb".into()));
        let all: BTreeSet<String> = (0..POSITIONS).map(row).collect();
        assert_eq!(all.len(), 960);
    }
}
