//! What a piece is worth by what it reaches, captures and changes, alone on boards of three kinds.

use tamarin_variant::{Game, Move, Occupant, Piece, SetupBoard, Square};

use super::piece_values::{PieceValues, RawValues};
use super::walk::{Boards, STEPS, Walk, Walker, mean, walkers};

/// All sequences are played out, so fewer boards of each kind have to do.
const BOARDS: usize = 8;

/// Potential: by how much the moves of a piece can change the sum of another evaluator's values. For
/// each square the mean on the empty board, among obstacles (which are worth nothing) and in
/// positions of random games of the greatest gains of one, two and three moves.
pub(super) fn potential(
    game: &Game,
    boards: &Boards,
    same_armies: bool,
    inner: &PieceValues,
) -> RawValues {
    let obstacles = boards.obstacle_boards(game);
    let random = boards.random_boards();
    RawValues::fill(game, same_armies, &boards.signals, |piece, flags, square| {
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

/// The captures of all sequences of one, two and three moves, divided by the number of moves.
fn weighed_captures(walk: Walk) -> f64 {
    walk.captures[0] + walk.captures[1] / 2.0 + walk.captures[2] / 3.0
}

/// Capturing ability: how much a piece can capture. For each square the mean among obstacles and in positions of random games. On the empty board
/// there is nothing to capture.
pub(super) fn captures(game: &Game, boards: &Boards, same_armies: bool) -> RawValues {
    let mut obstacles = walkers(boards.obstacle_boards(game));
    let mut random = walkers(boards.random_boards());
    RawValues::fill(game, same_armies, &boards.signals, |piece, flags, square| {
        let weight = |walker: &mut Walker<'_>| weighed_captures(walker.walk(piece, flags, square));
        f64::midpoint(mean(&mut obstacles, weight), mean(&mut random, weight))
    })
}

/// Squares reached with one move count fully, with two half and with three a quarter.
fn weighed_squares(walk: Walk) -> f64 {
    walk.squares[0] + walk.squares[1] / 2.0 + walk.squares[2] / 4.0
}

/// The mobility of a piece without flags on the empty board, in squares.
pub fn empty_board_mobility(game: &Game, piece: Piece, square: Square) -> f64 {
    weighed_squares(Walker::new(SetupBoard::empty(game)).walk(piece, 0, square))
}

/// Mobility: how many squares a piece reaches, as was proposed by Good in "A five-year plan for
/// automatic chess", 1968. For each square the mean on the empty board, among obstacles and in positions of
/// random games.
pub(super) fn mobility(game: &Game, boards: &Boards, same_armies: bool) -> RawValues {
    let mut empty = Walker::new(SetupBoard::empty(game));
    let mut obstacles = walkers(boards.obstacle_boards(game));
    let mut random = walkers(boards.random_boards());
    RawValues::fill(game, same_armies, &boards.signals, |piece, flags, square| {
        let weight = |walker: &mut Walker<'_>| weighed_squares(walker.walk(piece, flags, square));
        (weight(&mut empty) + mean(&mut obstacles, weight) + mean(&mut random, weight)) / 3.0
    })
}
