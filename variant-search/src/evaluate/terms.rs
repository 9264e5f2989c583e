//! Evaluators of the position: pieces near the kings, how far a king is from the center, and the moves,
//! captures and defended pieces of both sides.

use tamarin_variant::{Color, Game, Move, Piece, Position, SetupBoard, Square, SquareSet};

use super::piece_values::PieceValues;

/// No way.
pub(super) const NEVER: u8 = u8::MAX;
/// A piece that is there already counts so much; more moves divide it.
const NEAREST: i64 = 5040;

/// King safety: sums over the pieces of each side of their values times the reciprocals of one more
/// than the moves that they need, on an empty board, to the kings and next to them.
pub(super) struct KingSafety {
    squares: usize,
    inner: PieceValues,
    /// Moves from a square to another: by (slot times squares plus origin) times squares plus
    /// target; [`NEVER`] if there is no way.
    distances: Vec<u8>,
    /// The same to the nearest of the target and the squares around it.
    near: Vec<u8>,
}

impl KingSafety {
    pub(super) fn new(game: &Game, inner: PieceValues) -> Self {
        let squares = game.squares();
        let mut distances = Vec::with_capacity(game.piece_count() * 2 * squares * squares);
        for kind in 0..game.piece_count() as u8 {
            for color in Color::ALL {
                let steps = steps(game, Piece { color, kind });
                for from in 0..squares as Square {
                    distances.extend(distances_from(&steps, from));
                }
            }
        }
        let columns = usize::from(game.columns());
        let near = distances
            .chunks(squares)
            .flat_map(|row| (0..squares).map(|target| nearest(row, target, columns)))
            .collect();
        Self { squares, inner, distances, near }
    }

    /// White's safety less Black's. A side without a royal piece has none.
    pub(super) fn evaluate(&self, position: &Position) -> i64 {
        let kings = Color::ALL.map(|color| position.royals(color).iter().next());
        let side = |color: Color| {
            let pieces = position.side(color).minus(position.royals(color));
            let terms = pieces.iter().filter_map(|square| {
                let piece = position.piece_at(square)?;
                let row = (piece.slot() * self.squares + usize::from(square)) * self.squares;
                let closeness: i64 = kings
                    .iter()
                    .flatten()
                    .map(|&king| {
                        let at = row + usize::from(king);
                        2 * reciprocal(self.distances[at]) + reciprocal(self.near[at])
                    })
                    .sum();
                Some(self.inner.piece(piece, square) * closeness / NEAREST)
            });
            terms.sum::<i64>()
        };
        side(Color::White) - side(Color::Black)
    }
}

fn reciprocal(distance: u8) -> i64 {
    if distance == NEVER { 0 } else { NEAREST / (i64::from(distance) + 1) }
}

/// Where a piece goes with one move from each square of the empty board.
fn steps(game: &Game, piece: Piece) -> Vec<SquareSet> {
    let mut moves = Vec::new();
    let from = |square: Square| {
        let mut board = SetupBoard::empty(game);
        board.put(square, piece, 0);
        board.moves_from(square, &mut moves);
        moves.iter().map(|m| m.to).collect()
    };
    (0..game.squares() as Square).map(from).collect()
}

/// By square: how many moves it takes to get there; [`NEVER`] if there is no way.
pub(super) fn distances_from(steps: &[SquareSet], from: Square) -> Vec<u8> {
    let mut distances = vec![NEVER; steps.len()];
    distances[usize::from(from)] = 0;
    let mut front = vec![from];
    for distance in 1..NEVER {
        let mut next = Vec::new();
        for square in front {
            for to in steps[usize::from(square)].iter() {
                if distances[usize::from(to)] == NEVER {
                    distances[usize::from(to)] = distance;
                    next.push(to);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        front = next;
    }
    distances
}

fn nearest(row: &[u8], target: usize, columns: usize) -> u8 {
    let near = |square: usize| {
        (square / columns).abs_diff(target / columns) <= 1
            && (square % columns).abs_diff(target % columns) <= 1
    };
    let around = (0..row.len()).filter(|&square| near(square));
    around.map(|square| row[square]).min().unwrap_or(NEVER)
}

/// Simple king safety in parts of a million: how central Black's king stands less how central
/// White's does, -1,000,000 to 1,000,000.
pub(super) fn simple_king(game: &Game, position: &Position) -> i64 {
    let central = |color| {
        let Some(king) = position.royals(color).iter().next() else { return 0 };
        let (row, column) = (i64::from(king / game.columns()), i64::from(king % game.columns()));
        let part = |at: i64, length: i64| {
            1_000_000 * (2 * at + 1) * (2 * length - 2 * at - 1) / (length * length)
        };
        i64::midpoint(part(row, game.rows().into()), part(column, game.columns().into()))
    };
    central(Color::Black) - central(Color::White)
}

/// The difference of the numbers of pseudo-legal moves, White's less Black's.
pub(super) fn mobility(position: &Position) -> i64 {
    let count = |color| i64::from(position.count_pseudo_legal_moves(color));
    count(Color::White) - count(Color::Black)
}

/// The difference of the numbers of capturing moves.
pub(super) fn captures(position: &Position, scratch: &mut Vec<Move>) -> i64 {
    let mut count = |color| {
        position.pseudo_legal_board_moves_into(color, scratch);
        scratch.iter().filter(|&&m| position.is_capture(m)).count() as i64
    };
    count(Color::White) - count(Color::Black)
}

/// The difference of the numbers of defended pieces: those whose capturer could be captured. Royal
/// pieces do not count.
pub(super) fn soundness(position: &Position) -> i64 {
    let count = |color| {
        let pieces = position.side(color).minus(position.royals(color));
        pieces.iter().filter(|&square| position.is_attacked(square, color)).count() as i64
    };
    count(Color::White) - count(Color::Black)
}

/// The number of moves that the pieces of the start position have at most: differences are measured
/// against it.
pub(super) fn most_moves(game: &Game, start: &Position) -> i64 {
    let count = |color| {
        let squares = start.side(color);
        let pieces = squares.iter().filter_map(|square| start.piece_at(square));
        pieces.map(|piece| game.most_moves(piece.kind) as i64).sum::<i64>()
    };
    count(Color::White).max(count(Color::Black)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tamarin_variant::builtin;

    /// Distances by trying all sequences of moves, one move longer each time.
    #[test]
    fn distances_are_those_of_brute_force() {
        for name in ["fide", "xiangqi", "shogi_nodrop"] {
            let game = builtin(name).unwrap();
            for kind in 0..game.piece_count() as u8 {
                let steps = steps(&game, Piece { color: Color::Black, kind });
                for from in (0..game.squares() as Square).step_by(7) {
                    let found = distances_from(&steps, from);
                    let mut reached: SquareSet = [from].into_iter().collect();
                    for moves in 0..20 {
                        for (square, &distance) in found.iter().enumerate() {
                            let within = distance != NEVER && distance <= moves;
                            assert_eq!(reached.has(square as Square), within, "{name} {kind}");
                        }
                        let further = reached.iter().flat_map(|at| steps[usize::from(at)].iter());
                        reached = reached.or(further.collect());
                    }
                }
            }
        }
    }
}
