//! Lines of moves as text.

use tamarin_movegen::{CastlingNotation, Move, Position};

use crate::pgn::Rules;

/// The moves in standard algebraic notation, at most `length` of them.
pub fn sans(position: &Position, moves: &[Move], length: usize) -> Vec<String> {
    let mut position = position.clone();
    let san = |&mv: &Move| {
        let san = position.san(mv).to_string();
        position.make(mv);
        san
    };
    moves.iter().take(length).map(san).collect()
}

/// The same in coordinates.
pub fn coordinates(
    position: &Position,
    moves: &[Move],
    length: usize,
    notation: CastlingNotation,
) -> Vec<String> {
    let mut position = position.clone();
    let uci = |&mv: &Move| {
        let text = position.uci(mv, notation).to_string();
        position.make(mv);
        text
    };
    moves.iter().take(length).map(uci).collect()
}

/// The number of a ply as it stands before its move: `12.` or `12...`. The first ply is 0.
pub fn number_of(ply: u32) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "..." };
    format!("{}{dots}", ply / 2 + 1)
}

/// The move number as it stands before a move: `12.` or `12...`.
pub fn number<P: Rules>(position: &P) -> String {
    number_of(position.ply_number())
}

/// The moves with their numbers, such as `12... Nf6 13. e5`, at most `length` of them.
pub fn numbered<P: Rules>(position: &P, moves: &[P::Move], length: usize) -> String {
    let mut position = position.clone();
    let mut words = Vec::new();
    for (index, mv) in moves.iter().take(length).enumerate() {
        if index == 0 || position.ply_number().is_multiple_of(2) {
            words.push(number(&position));
        }
        words.push(position.san(*mv));
        position.make(*mv);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::{coordinates, numbered, sans};
    use tamarin_movegen::{CastlingNotation, Position};

    #[test]
    fn lines_have_numbers_and_a_greatest_length() {
        let mut position = Position::startpos();
        let moves: Vec<_> = ["e4", "e5", "Nf3"]
            .iter()
            .map(|san| {
                let mv = position.parse_san(san).expect("legal");
                position.make(mv);
                mv
            })
            .collect();
        let start = Position::startpos();
        assert_eq!(numbered(&start, &moves, 9), "1. e4 e5 2. Nf3");
        let mut second = start.clone();
        second.make(moves[0]);
        assert_eq!(numbered(&second, &moves[1..], 9), "1... e5 2. Nf3");
        assert_eq!(sans(&start, &moves, 2), ["e4", "e5"]);
        let classic = CastlingNotation::Classic;
        assert_eq!(coordinates(&start, &moves, 1, classic), ["e2e4"]);
    }
}
