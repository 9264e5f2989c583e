//! Evaluators of the position alone: moves, captures and defended pieces of both sides.

use tamarin_variant::{Color, Game, Move, Position};

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
