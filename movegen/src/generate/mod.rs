//! Strictly legal move generation.
//!
//! One generator, [`generate`], finds groups of moves (a piece with its set of targets,
//! all pawns that step the same way) and hands them to a [`Sink`], which lists them,
//! counts them or plays them. It is compiled for each side to move, each generation type and
//! each sink, so that counting never builds a list and no branch depends on the color.

mod board;
mod masks;
mod mobility;
mod pins;
mod replies;
mod sinks;
mod zone;

pub(crate) use masks::{Masks, attacked_by};
pub(crate) use sinks::{CountMoves, ListMoves, VisitChildren};

use crate::castling::{castling_targets, home_rank};
use crate::side_to_move::SideToMove;
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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Generate {
    /// Every legal move.
    All,
    /// Captures and promotions.
    Noisy,
    /// Everything else, castling included.
    Quiet,
}

/// [`Generate`] as a type parameter of the generator.
pub(crate) trait GenerationType {
    const NOISY: bool;
    const QUIET: bool;
}

pub(crate) struct AllMoves;
pub(crate) struct NoisyMoves;
pub(crate) struct QuietMoves;

impl GenerationType for AllMoves {
    const NOISY: bool = true;
    const QUIET: bool = true;
}

impl GenerationType for NoisyMoves {
    const NOISY: bool = true;
    const QUIET: bool = false;
}

impl GenerationType for QuietMoves {
    const NOISY: bool = false;
    const QUIET: bool = true;
}

/// Receives groups of legal moves.
pub(crate) trait Sink {
    /// A piece that is no pawn moves from `from` to any of `targets`.
    fn piece(&mut self, kind: PieceKind, from: Square, targets: Bitboard);
    /// Pawns move to `targets`, each from the square whose index is `step` lower.
    fn pawns(&mut self, step: i8, targets: Bitboard);
    /// As `pawns`, two ranks at once.
    fn double_pushes(&mut self, step: i8, targets: Bitboard);
    /// As `pawns`, onto the last rank.
    fn promotions(&mut self, step: i8, targets: Bitboard);
    fn en_passant(&mut self, from: Square, to: Square);
    fn castle(&mut self, king: Square, rook: Square);
    /// [`king_and_piece_moves`], for sinks that do not want it inlined.
    #[inline(always)]
    fn king_and_piece_moves<M: GenerationType>(
        &mut self,
        board: &Board,
        masks: &Masks,
        us: Color,
    ) -> Bitboard
    where
        Self: Sized,
    {
        king_and_piece_moves::<M, Self>(board, masks, us, self)
    }
}

/// Hands every legal move of the generation type `M` to `sink`.
#[inline(always)]
pub(crate) fn generate<Us: SideToMove, M: GenerationType, K: Sink>(
    board: &Board,
    masks: &Masks,
    sink: &mut K,
) {
    let check_mask = sink.king_and_piece_moves::<M>(board, masks, Us::COLOR);
    if check_mask.is_empty() {
        return; // double check: only the king can move
    }
    pawn_moves::<Us, M, K>(board, masks, check_mask, sink);
    if M::NOISY
        && let Some(target) = board.en_passant()
    {
        en_passant::<Us, K>(board, target, sink);
    }
}

/// All moves of `us` but those of pawns. Returns [`Masks::check_mask`].
#[inline(always)]
fn king_and_piece_moves<M: GenerationType, K: Sink>(
    board: &Board,
    masks: &Masks,
    us: Color,
    sink: &mut K,
) -> Bitboard {
    let targets = target_mask::<M>(board, us);
    king_moves::<M, K>(board, masks, us, targets, sink);
    let check_mask = masks.check_mask(board.king(us));
    if check_mask.any() {
        piece_moves(board, masks, us, targets & check_mask, sink);
    }
    check_mask
}

/// The squares where moves of this generation type end, promotions of pawns aside.
#[inline(always)]
fn target_mask<M: GenerationType>(board: &Board, us: Color) -> Bitboard {
    match (M::NOISY, M::QUIET) {
        (true, true) => !board.color(us),
        (true, false) => board.color(!us),
        (false, _) => !board.occupied(),
    }
}

#[inline(always)]
fn king_moves<M: GenerationType, K: Sink>(
    board: &Board,
    masks: &Masks,
    us: Color,
    targets: Bitboard,
    sink: &mut K,
) {
    let king = board.king(us);
    let targets = king_attacks(king) & targets;
    let rooks = if M::QUIET && masks.checkers.is_empty() {
        unobstructed_rooks(board, king, board.castling() & home_rank(us))
    } else {
        Bitboard::EMPTY
    };
    if (targets | rooks).is_empty() {
        return; // common, and spares the attack map
    }
    // Sliders see through the king to the squares it may retreat to.
    let occupied = board.occupied().without(king);
    if rooks.is_empty() && !targets.several() {
        // For a single square its attackers are cheaper than the attack map.
        if (board.attackers_to(targets.lowest(), occupied) & board.color(!us)).is_empty() {
            sink.piece(PieceKind::King, king, targets);
        }
        return;
    }
    let attacked = attacked_by(board, !us, occupied);
    sink.piece(PieceKind::King, king, targets - attacked);
    for rook in rooks {
        if is_castling_safe(masks, king, rook, attacked) {
            sink.castle(king, rook);
        }
    }
}

/// Those of the castling rooks for which the paths of king and rook are free.
#[inline(always)]
fn unobstructed_rooks(board: &Board, king: Square, rooks: Bitboard) -> Bitboard {
    let mut unobstructed = Bitboard::EMPTY;
    for rook in rooks {
        // The squares between king and rook belong to the paths: a cheap test that most fail.
        if (between(king, rook) & board.occupied()).is_empty() && is_path_free(board, king, rook) {
            unobstructed = unobstructed.with(rook);
        }
    }
    unobstructed
}

/// Returns `true` if the squares that king and rook cross and land on are empty but for the two.
fn is_path_free(board: &Board, king: Square, rook: Square) -> bool {
    let (king_to, rook_to) = castling_targets(king, rook);
    let king_path = between(king, king_to).with(king_to);
    let rook_path = between(rook, rook_to).with(rook_to);
    let others = board.occupied().without(king).without(rook);
    ((king_path | rook_path) & others).is_empty()
}

/// Returns `true` if the king crosses no attacked square and is safe once the rook has moved.
fn is_castling_safe(masks: &Masks, king: Square, rook: Square, attacked: Bitboard) -> bool {
    let (king_to, _) = castling_targets(king, rook);
    (between(king, king_to).with(king_to) & attacked).is_empty()
        // In Chess960 the rook may be pinned on the first rank.
        && !masks.orthogonal_pins.has(rook)
}

/// Returns `true` if the king, not in check, may castle with this rook, which has the right to.
pub(crate) fn can_castle(
    board: &Board,
    masks: &Masks,
    king: Square,
    rook: Square,
    attacked: Bitboard,
) -> bool {
    is_path_free(board, king, rook) && is_castling_safe(masks, king, rook, attacked)
}

#[inline(always)]
fn piece_moves<K: Sink>(board: &Board, masks: &Masks, us: Color, targets: Bitboard, sink: &mut K) {
    let occupied = board.occupied();
    // A pinned knight has no move: it always leaves the line.
    for from in board.of(us, PieceKind::Knight) - masks.pins() {
        sink.piece(PieceKind::Knight, from, knight_attacks(from) & targets);
    }
    let queens = board.pieces(PieceKind::Queen);
    for from in board.diagonal_sliders(us) - masks.orthogonal_pins {
        let pin = if masks.diagonal_pins.has(from) { masks.diagonal_pins } else { Bitboard::ALL };
        let kind = if queens.has(from) { PieceKind::Queen } else { PieceKind::Bishop };
        sink.piece(kind, from, bishop_attacks(from, occupied) & targets & pin);
    }
    for from in board.orthogonal_sliders(us) - masks.diagonal_pins {
        let is_pinned = masks.orthogonal_pins.has(from);
        let pin = if is_pinned { masks.orthogonal_pins } else { Bitboard::ALL };
        let kind = if queens.has(from) { PieceKind::Queen } else { PieceKind::Rook };
        sink.piece(kind, from, rook_attacks(from, occupied) & targets & pin);
    }
}

/// All pawn moves but en passant, setwise. Whole pin masks will do for all pinned pawns at
/// once: a pawn that leaves its pin line never lands on another line of the same mask.
#[inline(always)]
fn pawn_moves<Us: SideToMove, M: GenerationType, K: Sink>(
    board: &Board,
    masks: &Masks,
    check_mask: Bitboard,
    sink: &mut K,
) {
    let pawns = board.of(Us::COLOR, PieceKind::Pawn);
    let (orthogonal, diagonal) = (masks.orthogonal_pins, masks.diagonal_pins);
    let empty = !board.occupied();

    let pushers = pawns - diagonal;
    let pushes =
        (Us::push(pushers - orthogonal) | Us::push(pushers & orthogonal) & orthogonal) & empty;
    if M::QUIET {
        sink.pawns(Us::PUSH, (pushes & check_mask) - Us::LAST_RANK);
        let double_pushes = Us::push(pushes & Us::THIRD_RANK) & empty & check_mask;
        sink.double_pushes(Us::PUSH * 2, double_pushes);
    }
    if M::NOISY {
        let enemies = board.color(Us::Them::COLOR) & check_mask;
        let capturers = pawns - orthogonal;
        let (free, pinned) = (Us::push(capturers - diagonal), Us::push(capturers & diagonal));
        let east = (free.east() | pinned.east() & diagonal) & enemies;
        let west = (free.west() | pinned.west() & diagonal) & enemies;
        sink.pawns(Us::PUSH + 1, east - Us::LAST_RANK);
        sink.pawns(Us::PUSH - 1, west - Us::LAST_RANK);
        if (pawns & Us::SEVENTH_RANK).any() {
            sink.promotions(Us::PUSH, pushes & check_mask & Us::LAST_RANK);
            sink.promotions(Us::PUSH + 1, east & Us::LAST_RANK);
            sink.promotions(Us::PUSH - 1, west & Us::LAST_RANK);
        }
    }
}

#[cold]
fn en_passant<Us: SideToMove, K: Sink>(board: &Board, target: Square, sink: &mut K) {
    let capturers = pawn_attacks(Us::Them::COLOR, target) & board.of(Us::COLOR, PieceKind::Pawn);
    for from in capturers {
        if board.is_en_passant_safe::<Us>(from, target) {
            sink.en_passant(from, target);
        }
    }
}
