//! Walks of one piece: where it gets with one, two and three moves of its own, and what it captures
//! on its way.

use tamarin_variant::{Move, Piece, SetupBoard, Square, SquareSet};

/// Moves of a walk.
pub(super) const STEPS: usize = 3;

/// What a piece finds with exactly one, two and three moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Walk {
    /// Different squares where it is then.
    pub(super) squares: [f64; STEPS],
    /// Captures of all sequences of so many moves together.
    pub(super) captures: [f64; STEPS],
}

/// Where a piece may be after some moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    square: Square,
    /// What it has captured: these squares are empty.
    captured: SquareSet,
}

/// Walks a piece from a square of a board. It stays what it is, and nothing appears on the board;
/// what it captures is gone from then on. Flags are those that it begins with.
pub(super) fn walk(board: &SetupBoard<'_>, piece: Piece, flags: u8, square: Square) -> Walk {
    let mut board = *board;
    board.clear(square);
    let mut walk = Walk::default();
    let mut moves: Vec<Move> = Vec::new();
    let mut places = vec![(Place { square, captured: SquareSet::EMPTY }, 1.0)];
    for step in 0..STEPS {
        let mut next = Vec::new();
        let mut reached = SquareSet::EMPTY;
        for &(place, ways) in &places {
            let gone: Vec<(Square, Option<Piece>, u8)> = place
                .captured
                .iter()
                .map(|square| (square, board.piece(square), board.flags(square)))
                .collect();
            gone.iter().for_each(|&(square, ..)| board.clear(square));
            board.put(place.square, piece, if step == 0 { flags } else { 0 });
            board.moves_from(place.square, &mut moves);
            for &m in &moves {
                let captured = place.captured.or(board.captured(m));
                reached.insert(m.to);
                walk.captures[step] += ways * captured.len() as f64;
                next.push((Place { square: m.to, captured }, ways));
            }
            board.clear(place.square);
            for (square, piece, flags) in gone {
                piece.iter().for_each(|&piece| board.put(square, piece, flags));
            }
        }
        walk.squares[step] = reached.len() as f64;
        if step + 1 < STEPS {
            places = merged(next);
        }
    }
    walk
}

/// One entry for each place, with all ways to it.
fn merged(mut places: Vec<(Place, f64)>) -> Vec<(Place, f64)> {
    places.sort_unstable_by_key(|&(place, _)| place);
    places.dedup_by(|(later, ways), (first, all)| {
        let same = later == first;
        *all += if same { *ways } else { 0.0 };
        same
    });
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::boards::Boards;
    use tamarin_variant::{Color, builtin};

    /// All sequences of moves one by one, each on boards of its own.
    fn sequences(board: &SetupBoard<'_>, piece: Piece, square: Square) -> Walk {
        let mut walk = Walk::default();
        let mut start = *board;
        start.clear(square);
        let mut front = vec![(start, square, 0)];
        for step in 0..STEPS {
            let (mut next, mut reached) = (Vec::new(), SquareSet::EMPTY);
            for (board, square, captures) in front {
                let mut board = board;
                board.put(square, piece, 0);
                let mut moves = Vec::new();
                board.moves_from(square, &mut moves);
                for m in moves {
                    let mut after = board;
                    after.clear(square);
                    let captured = board.captured(m);
                    captured.iter().for_each(|victim| after.clear(victim));
                    let captures = captures + captured.len();
                    reached.insert(m.to);
                    walk.captures[step] += captures as f64;
                    next.push((after, m.to, captures));
                }
            }
            walk.squares[step] = reached.len() as f64;
            front = next;
        }
        walk
    }

    #[test]
    fn walks_count_what_all_sequences_reach_and_capture() {
        for name in ["fide", "locusts", "xiangqi"] {
            let game = builtin(name).unwrap();
            let boards = Boards::new(&game);
            let all = [boards.obstacle_boards(&game), boards.random_boards()].concat();
            for (i, board) in all.iter().enumerate().step_by(3) {
                for kind in (0..game.piece_count() as u8).filter(|&kind| !game.is_royal(kind)) {
                    let piece = Piece { color: Color::ALL[i % 2], kind };
                    let square = (i * 7 + usize::from(kind) * 5) % game.squares();
                    let square = square as Square;
                    let expected = sequences(board, piece, square);
                    assert_eq!(walk(board, piece, 0, square), expected, "{name} {i} {kind}");
                }
            }
        }
    }
}
