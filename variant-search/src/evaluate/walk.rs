//! Walks of one piece: where it gets with one, two and three moves of its own, and what it captures
//! on its way.

use tamarin_variant::{Move, Piece, Sandbox, Square, SquareSet};

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
pub(super) fn walk(board: &Sandbox<'_>, piece: Piece, flags: u8, square: Square) -> Walk {
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
