//! Lines of moves as text.

use tamarin_movegen::{CastlingNotation, Color, Move, Position};

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

/// The move number as it stands before a move: `12.` or `12...`.
pub fn number(position: &Position) -> String {
    let dots = if position.side_to_move() == Color::White { "." } else { "..." };
    format!("{}{dots}", position.fullmove_number())
}

/// The moves with their numbers, such as `12... Nf6 13. e5`.
pub fn numbered(position: &Position, moves: &[Move], length: usize) -> String {
    let mut text = String::new();
    let mut white = position.side_to_move() == Color::White;
    let mut move_number = u32::from(position.fullmove_number());
    for (index, san) in sans(position, moves, length).iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        if white {
            text.push_str(&format!("{move_number}. "));
        } else if index == 0 {
            text.push_str(&format!("{move_number}... "));
        }
        text.push_str(san);
        move_number += u32::from(!white);
        white = !white;
    }
    text
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
