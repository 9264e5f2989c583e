//! What the built-in book promises to people.

use std::collections::HashMap;

use tamarin_game::book::file::{Book, BookMove};
use tamarin_game::openings::{COMMONEST, lines_through, name};
use tamarin_movegen::{Move, Position};

/// The first plies of a game, whose moves are all on the way to an opening with a name.
const EARLY_PLIES: usize = 5;

/// No reply of these is played in more of the games than this, in percent.
const MAX_SHARE: f64 = 60.1;

/// The last ply that has moves.
const LINES: usize = 12;

/// The positions of a line, the start position first.
fn positions(line: &str) -> Vec<Position> {
    let mut positions = vec![Position::startpos()];
    for san in line.split_whitespace() {
        let mut next = positions.last().unwrap().clone();
        next.make(next.parse_san(san).unwrap());
        positions.push(next);
    }
    positions
}

/// The moves that are played in a position.
fn moves(position: &Position) -> Vec<BookMove> {
    let mut moves = Book::built_in().moves(position);
    moves.retain(|one| one.weight > 0);
    moves
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.make(mv);
    next
}

/// The share of the move that is played most often, in percent.
fn greatest_share(moves: &[BookMove]) -> f64 {
    let weight = |one: &BookMove| f64::from(one.weight);
    let greatest = moves.iter().map(weight).fold(0.0, f64::max);
    100.0 * greatest / moves.iter().map(weight).sum::<f64>()
}

#[test]
fn the_commonest_openings_are_answered_in_several_ways_by_name() {
    for (line, _) in COMMONEST {
        for position in &positions(line) {
            let moves = moves(position);
            let share = greatest_share(&moves);
            assert!(share <= MAX_SHARE, "{line}: {share:.1} % in {position}");
        }
        let mut played = positions(line);
        for one in moves(played.last().unwrap()) {
            played.push(after(played.last().unwrap(), one.mv));
            assert!(name(&played).is_some());
            assert!(lines_through(&played.pop().unwrap(), EARLY_PLIES) > 0, "{line}: {:?}", one.mv);
        }
    }
}

/// However the sides choose among the moves of the book, it has one up to the twelfth ply.
#[test]
fn lines_go_on_to_the_twelfth_ply() {
    let mut level: HashMap<_, Position> = HashMap::new();
    for (line, _) in COMMONEST {
        let position = positions(line).pop().unwrap();
        level.insert(position.key(), position);
    }
    for ply in 4..LINES {
        let mut next = HashMap::new();
        for position in level.values() {
            let moves = moves(position);
            assert!(!moves.is_empty(), "no move after {ply} plies: {position}");
            for one in moves {
                let then = after(position, one.mv);
                next.insert(then.key(), then);
            }
        }
        level = next;
    }
    assert!(level.len() >= 100, "{} positions", level.len());
}
