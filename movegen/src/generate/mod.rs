//! Strictly legal move generation.
//!
//! One generator, [`generate`], finds groups of moves (a piece with its set of targets,
//! all pawns that step the same way) and hands them to a [`Sink`], which lists them,
//! counts them or plays them. It is compiled for each side, each selection of moves and
//! each sink, so that counting never touches a list and nothing asks whose turn it is.
//! Only lists have one copy for both sides of all but the pawns: a search has more code to
//! keep at hand than perft.

mod masks;
mod sinks;

pub(crate) use masks::{Masks, attacked_by};
pub(crate) use sinks::{Children, Count, ListMoves};

use crate::board::{castling_targets, home_rank};
use crate::side::Side;
use crate::{
    Bitboard, Board, Color, PieceKind, Square, between, bishop_attacks, king_attacks,
    knight_attacks, pawn_attacks, rook_attacks,
};

/// Which legal moves to generate.
///
/// `Noisy` and `Quiet` together are `All`. In check each yields the evasions of its sort.
///
/// ```
/// use tamarin_movegen::{Generate, MoveList, Position};
/// let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").unwrap();
/// let count = |which| {
///     let mut moves = MoveList::new();
///     position.generate(which, &mut moves);
///     moves.len()
/// };
/// assert_eq!([Generate::All, Generate::Noisy, Generate::Quiet].map(count), [7, 1, 6]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Generate {
    /// Every legal move.
    All,
    /// Captures and promotions.
    Noisy,
    /// Everything else, castling included.
    Quiet,
}

/// A selection of moves known when the generator is compiled.
pub(crate) trait Selection {
    const NOISY: bool;
    const QUIET: bool;
}

pub(crate) struct Everything;
pub(crate) struct NoisyOnly;
pub(crate) struct QuietOnly;

impl Selection for Everything {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl Selection for NoisyOnly {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl Selection for QuietOnly {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// Receives groups of legal moves.
pub(crate) trait Sink {
    /// A piece that is no pawn moves from `from` to any of `targets`.
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard);
    /// Pawns step to `targets`, each from the square whose index is `step` lower.
    fn pawns(&mut self, step: i8, targets: Bitboard);
    /// As `pawns`, two ranks at once.
    fn double_pushes(&mut self, step: i8, targets: Bitboard);
    /// As `pawns`, onto the last rank.
    fn promotions(&mut self, step: i8, targets: Bitboard);
    fn en_passant(&mut self, from: Square, to: Square);
    fn castle(&mut self, king: Square, rook: Square);
    /// As the function of this name, for sinks that would rather not have it inlined.
    #[inline(always)]
    fn king_and_piece_moves<M: Selection>(
        &mut self,
        board: &Board,
        masks: &Masks,
        us: Color,
    ) -> Option<Bitboard>
    where
        Self: Sized,
    {
        king_and_piece_moves::<M, Self>(board, masks, us, self)
    }
}

/// Hands every legal move of `M` for side `S`, to move, to `sink`.
#[inline(always)]
pub(crate) fn generate<S: Side, M: Selection, K: Sink>(board: &Board, masks: &Masks, sink: &mut K) {
    let Some(answers) = sink.king_and_piece_moves::<M>(board, masks, S::COLOR) else { return };
    pawn_moves::<S, M, K>(board, masks, answers, sink);
    if M::NOISY
        && let Some(target) = board.en_passant()
    {
        en_passant::<S, K>(board, target, sink);
    }
}

/// All moves of `us` but those of pawns. Returns where pawns have to land to answer a
/// check, everywhere if there is none, or nothing if only the king can answer.
#[inline(always)]
fn king_and_piece_moves<M: Selection, K: Sink>(
    board: &Board,
    masks: &Masks,
    us: Color,
    sink: &mut K,
) -> Option<Bitboard> {
    let wanted = wanted_targets::<M>(board, us);
    king_moves::<M, K>(board, masks, us, wanted, sink);
    if masks.checkers.several() {
        return None;
    }
    // Where a check must be blocked or the checker taken.
    let answers = match masks.checkers.first() {
        None => Bitboard::ALL,
        Some(checker) => between(board.king(us), checker) | masks.checkers,
    };
    piece_moves(board, masks, us, wanted & answers, sink);
    Some(answers)
}

#[inline(always)]
fn wanted_targets<M: Selection>(board: &Board, us: Color) -> Bitboard {
    match (M::NOISY, M::QUIET) {
        (true, true) => !board.color(us),
        (true, false) => board.color(!us),
        (false, _) => !board.occupied(),
    }
}

#[inline(always)]
fn king_moves<M: Selection, K: Sink>(
    board: &Board,
    masks: &Masks,
    us: Color,
    wanted: Bitboard,
    sink: &mut K,
) {
    let king = board.king(us);
    let targets = king_attacks(king) & wanted;
    let castling = if M::QUIET && masks.checkers.is_empty() {
        open_castling(board, king, board.castling() & home_rank(us))
    } else {
        Bitboard::EMPTY
    };
    if (targets | castling).is_empty() {
        return; // often so, which saves looking for attacks
    }
    // The king itself does not shield the squares behind it.
    let occupied = board.occupied().without(king);
    if castling.is_empty() && !targets.several() {
        // One square is cheaper to look at by itself than all that the enemy attacks.
        if (board.attackers_to(targets.lowest(), occupied) & board.color(!us)).is_empty() {
            sink.piece(PieceKind::King, king, targets);
        }
        return;
    }
    let attacked = attacked_by(board, !us, occupied);
    sink.piece(PieceKind::King, king, targets - attacked);
    for rook in castling {
        if is_castling_safe(masks, king, rook, attacked) {
            sink.castle(king, rook);
        }
    }
}

/// Those of the rooks for whom the way is free, theirs and the king's.
#[inline(always)]
fn open_castling(board: &Board, king: Square, rooks: Bitboard) -> Bitboard {
    let mut open = Bitboard::EMPTY;
    for rook in rooks {
        // A cheap test that most fail: the ways together always cover these squares.
        if (between(king, rook) & board.occupied()).is_empty() && is_way_free(board, king, rook) {
            open = open.with(rook);
        }
    }
    open
}

fn is_way_free(board: &Board, king: Square, rook: Square) -> bool {
    let (king_to, rook_to) = castling_targets(king, rook);
    let king_way = between(king, king_to).with(king_to);
    let rook_way = between(rook, rook_to).with(rook_to);
    let others = board.occupied().without(king).without(rook);
    ((king_way | rook_way) & others).is_empty()
}

/// Does the king cross no attacked square, and stay safe when the rook has moved?
fn is_castling_safe(masks: &Masks, king: Square, rook: Square, attacked: Bitboard) -> bool {
    let (king_to, _) = castling_targets(king, rook);
    (between(king, king_to).with(king_to) & attacked).is_empty()
        // In Chess960 the rook may be what shields the king on its own rank.
        && !masks.straight_pins.has(rook)
}

/// May the king, not in check, castle with this rook, which has the right to?
pub(crate) fn can_castle(
    board: &Board,
    masks: &Masks,
    king: Square,
    rook: Square,
    attacked: Bitboard,
) -> bool {
    is_way_free(board, king, rook) && is_castling_safe(masks, king, rook, attacked)
}

#[inline(always)]
fn piece_moves<K: Sink>(board: &Board, masks: &Masks, us: Color, wanted: Bitboard, sink: &mut K) {
    let occupied = board.occupied();
    // A pinned knight never stays on its line.
    for from in board.of(us, PieceKind::Knight) - masks.pins() {
        sink.piece(PieceKind::Knight, from, knight_attacks(from) & wanted);
    }
    let queens = board.pieces(PieceKind::Queen);
    for from in board.diagonal_sliders(us) - masks.straight_pins {
        let line = if masks.diagonal_pins.has(from) { masks.diagonal_pins } else { Bitboard::ALL };
        let kind = if queens.has(from) { PieceKind::Queen } else { PieceKind::Bishop };
        sink.piece(kind, from, bishop_attacks(from, occupied) & wanted & line);
    }
    for from in board.straight_sliders(us) - masks.diagonal_pins {
        let line = if masks.straight_pins.has(from) { masks.straight_pins } else { Bitboard::ALL };
        let kind = if queens.has(from) { PieceKind::Queen } else { PieceKind::Rook };
        sink.piece(kind, from, rook_attacks(from, occupied) & wanted & line);
    }
}

/// All pawn moves but en passant. A pin restrains a whole set at once: a pawn that leaves
/// its line of pins never lands on another one of the same sort.
#[inline(always)]
fn pawn_moves<S: Side, M: Selection, K: Sink>(
    board: &Board,
    masks: &Masks,
    answers: Bitboard,
    sink: &mut K,
) {
    let pawns = board.of(S::COLOR, PieceKind::Pawn);
    let (straight, diagonal) = (masks.straight_pins, masks.diagonal_pins);
    let empty = !board.occupied();
    let step = S::AHEAD;

    let pushers = pawns - diagonal;
    let pushes =
        (S::advance(pushers - straight) | S::advance(pushers & straight) & straight) & empty;
    if M::QUIET {
        sink.pawns(step, (pushes & answers) - S::LAST_RANK);
        let twice = S::advance(pushes & S::THIRD_RANK) & empty & answers;
        sink.double_pushes(step * 2, twice);
    }
    if M::NOISY {
        let enemies = board.color(S::Them::COLOR) & answers;
        let takers = pawns - straight;
        let (free, pinned) = (S::advance(takers - diagonal), S::advance(takers & diagonal));
        let east = (free.east() | pinned.east() & diagonal) & enemies;
        let west = (free.west() | pinned.west() & diagonal) & enemies;
        sink.pawns(step + 1, east - S::LAST_RANK);
        sink.pawns(step - 1, west - S::LAST_RANK);
        if (pawns & S::SEVENTH_RANK).any() {
            sink.promotions(step, pushes & answers & S::LAST_RANK);
            sink.promotions(step + 1, east & S::LAST_RANK);
            sink.promotions(step - 1, west & S::LAST_RANK);
        }
    }
}

#[cold]
fn en_passant<S: Side, K: Sink>(board: &Board, target: Square, sink: &mut K) {
    let capturers = pawn_attacks(S::Them::COLOR, target) & board.of(S::COLOR, PieceKind::Pawn);
    for from in capturers {
        if board.is_en_passant_safe::<S>(from, target) {
            sink.en_passant(from, target);
        }
    }
}
