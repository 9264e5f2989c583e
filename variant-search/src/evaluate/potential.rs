//! Potential: by how much the moves of a piece can change the sum of another evaluator's values.

use tamarin_variant::{Game, Move, Occupant, Piece, SetupBoard, Square};

use super::boards::Boards;
use super::piece_values::{PieceValues, RawValues};
use super::walk::STEPS;

/// All sequences are played out, so fewer boards of each kind have to do.
const BOARDS: usize = 8;

/// For each square the mean on the empty board, among obstacles (which are worth nothing) and in
/// positions of random games of the greatest gains of one, two and three moves.
pub(super) fn values(
    game: &Game,
    boards: &Boards,
    same_armies: bool,
    inner: &PieceValues,
) -> RawValues {
    let obstacles = boards.obstacle_boards(game);
    let random = boards.random_boards();
    RawValues::fill(game, same_armies, |piece, flags, square| {
        let on = |board: &SetupBoard<'_>| {
            let mut board = *board;
            board.put(square, piece, flags);
            let mut best = [None; STEPS];
            Line { inner, piece, best: &mut best }.extend(&board, square, 0, 0);
            let gain = |step: usize| best[step].unwrap_or(0) as f64;
            gain(0) + gain(1) / 2.0 + gain(2) / 4.0
        };
        let mean = |boards: &[SetupBoard<'_>]| {
            let boards = &boards[..boards.len().min(BOARDS)];
            boards.iter().map(on).sum::<f64>() / boards.len() as f64
        };
        // Where nothing has a value, only what appears and disappears by itself matters.
        let alone = match game.has_effects(piece.kind) {
            true => on(&SetupBoard::empty(game)) + mean(&obstacles),
            false => 0.0,
        };
        (alone + mean(&random)) / 3.0
    })
}

/// A sequence of moves of one piece, and the greatest gains found with each number of moves.
struct Line<'a> {
    inner: &'a PieceValues,
    piece: Piece,
    best: &'a mut [Option<i64>; STEPS],
}

impl Line<'_> {
    /// Tries all further moves. The piece goes on as what it has become.
    fn extend(&mut self, board: &SetupBoard<'_>, square: Square, step: usize, gained: i64) {
        let mut moves = Vec::new();
        board.moves_from(square, &mut moves);
        for m in moves {
            let mut after = *board;
            after.play(m);
            let gain = gained + self.gain(board, &after, m);
            self.best[step] = Some(self.best[step].map_or(gain, |best| best.max(gain)));
            let goes_on = after.piece(m.to).is_some_and(|piece| piece.color == self.piece.color);
            if step + 1 < STEPS && goes_on {
                self.extend(&after, m.to, step + 1, gain);
            }
        }
    }

    /// What a move changes for the owner of the piece.
    fn gain(&self, before: &SetupBoard<'_>, after: &SetupBoard<'_>, m: Move) -> i64 {
        let worth = |board: &SetupBoard<'_>, square: Square| {
            let occupant = Occupant { piece: board.piece(square), flags: 0 };
            let value = self.inner.occupant(occupant, square);
            if self.piece.color.index() == 0 { value } else { -value }
        };
        let change = |square| worth(after, square) - worth(before, square);
        match before.has_effects(m) {
            false => change(m.from) + if m.from == m.to { 0 } else { change(m.to) },
            true => (0..before.squares() as Square).map(change).sum(),
        }
    }
}
