//! The replies after a pass, and what a change of squares adds or takes away.

use core::marker::PhantomData;

use super::pins::Placement;
use super::{AllMoves, CountMoves, Masks};
use crate::attacks::beyond;
use crate::side_to_move::SideToMove;
use crate::{Bitboard, Board, PieceKind, Square, between, bishop_attacks, rook_attacks};

/// The replies of side `Them` after a pass, and what a change of a square adds or takes away.
pub(super) struct Mobility<Them> {
    /// All replies, those of the king included.
    pub(super) count: i64,
    /// The pieces that are not pinned, without pawns and king.
    pieces: Bitboard,
    /// Pawns that may be pushed, if the squares ahead are empty.
    pushers: Bitboard,
    /// What pawns that are not pinned attack, towards the h-file and towards the a-file.
    east: Bitboard,
    west: Bitboard,
    /// What the sliders see.
    reach: Bitboard,
    /// Squares that change the count if they are left or entered.
    pub(super) touched: Bitboard,
    side: PhantomData<Them>,
}

/// Squares where pawns arrive, as moves: each of the last rank is four promotions.
pub(super) fn pawn_moves<Them: SideToMove>(targets: Bitboard) -> i64 {
    i64::from(targets.len() + 3 * (targets & Them::LAST_RANK).len())
}

/// Pushes and double pushes.
pub(super) fn pushes<Them: SideToMove>(pushers: Bitboard, empty: Bitboard) -> (Bitboard, Bitboard) {
    let pushes = Them::push(pushers) & empty;
    (pushes, Them::push(pushes & Them::THIRD_RANK) & empty)
}

impl<Them: SideToMove> Mobility<Them> {
    /// `pins` are those of `Them`.
    pub(super) fn of(board: &Board, pins: &Masks, king_replies: i64) -> Self {
        let occupied = board.occupied();
        let mut moves = CountMoves(0);
        super::piece_moves(board, pins, Them::COLOR, !board.color(Them::COLOR), &mut moves);
        super::pawn_moves::<Them, AllMoves, _>(board, pins, Bitboard::ALL, &mut moves);
        let free = board.color(Them::COLOR) - pins.pins();
        let pawns = board.of(Them::COLOR, PieceKind::Pawn);
        let pieces = (free - pawns).without(board.king(Them::COLOR));
        let mut reach = Bitboard::EMPTY;
        for slider in board.diagonal_sliders(Them::COLOR) & pieces {
            reach |= bishop_attacks(slider, occupied);
        }
        for slider in board.orthogonal_sliders(Them::COLOR) & pieces {
            reach |= rook_attacks(slider, occupied);
        }
        let across = pins.orthogonal_pins - board.king(Them::COLOR).file().bitboard();
        let pushers = pawns - pins.diagonal_pins - across;
        let [east, west] = [Them::push(pawns & free).east(), Them::push(pawns & free).west()];
        let ahead = Them::push(pushers) | Them::push(Them::push(pushers) & Them::THIRD_RANK);
        let touched = board.color(Them::COLOR) | reach | east | west | ahead;
        let count = king_replies + moves.0 as i64;
        Self { count, pieces, pushers, east, west, reach, touched, side: PhantomData }
    }

    /// The squares that sliders would see behind `square`, each counted as often as it is seen
    /// and all as a set, if it were empty, and from which none is closed.
    #[inline]
    fn behind(&self, board: &Board, square: Square, occupied: Bitboard) -> (i64, Bitboard) {
        let diagonal_view = bishop_attacks(square, occupied);
        let orthogonal_view = rook_attacks(square, occupied);
        let view = diagonal_view | orthogonal_view;
        let own = board.color(Them::COLOR);
        let (mut count, mut squares) = (0, Bitboard::EMPTY);
        let sliders = (diagonal_view & board.diagonal_sliders(Them::COLOR))
            | (orthogonal_view & board.orthogonal_sliders(Them::COLOR));
        for slider in sliders & self.pieces {
            let seen = beyond(slider, square) & view;
            count += i64::from((seen - own).len());
            squares |= seen;
        }
        (count, squares)
    }

    /// The sum of the replies after moves of the piece on `from` to each of the targets.
    #[inline(never)]
    pub(super) fn after(&self, board: &Board, from: Square, targets: Bitboard) -> i64 {
        let them = board.color(Them::COLOR);
        let occupied = board.occupied().without(from);
        let mut reach = self.reach;
        let mut count = self.count;
        if reach.has(from) {
            let (gain, through) = self.behind(board, from, occupied);
            count += gain;
            reach |= through;
        }
        let left = from.bitboard();
        count -= pawn_moves::<Them>(self.east & left) + pawn_moves::<Them>(self.west & left);
        let (single, double) = pushes::<Them>(self.pushers, !occupied);
        let before = pushes::<Them>(self.pushers, !board.occupied());
        count += pawn_moves::<Them>(single - before.0) + i64::from((double - before.1).len());

        let quiet = targets - them;
        let blocked = double | Them::Them::push(double);
        let mut sum = i64::from(targets.len()) * count
            + pawn_moves::<Them>(self.east & targets)
            + pawn_moves::<Them>(self.west & targets)
            - pawn_moves::<Them>(single & quiet)
            - i64::from((blocked & quiet).len());
        for to in quiet & reach {
            sum -= self.behind(board, to, occupied).0;
        }
        // A capture may be recaptured, and ends the moves of the captured piece.
        let enemies = board.color(Them::Them::COLOR).without(from);
        let placement = Placement { occupied, own: them, enemies };
        for to in targets & them {
            sum += i64::from((board.attackers_to(to, occupied) & self.pieces).len());
            sum -= placement.moves::<Them>(board, to, false);
        }
        sum
    }

    /// The replies other than those of the king to a check from `to`, where no pin has changed.
    pub(super) fn evasions(&self, board: &Board, from: Square, to: Square) -> i64 {
        let occupied = board.occupied().without(from).with(to);
        let path = between(board.king(Them::COLOR), to);
        let pieces = self.pieces.without(to);
        let attackers = |square| (board.attackers_to(square, occupied) & pieces).len();
        let by_pieces: u32 = path.with(to).into_iter().map(attackers).sum();
        let (single, double) = pushes::<Them>(self.pushers.without(to), !occupied);
        i64::from(by_pieces)
            + pawn_moves::<Them>(single & path)
            + i64::from((double & path).len())
            + pawn_moves::<Them>(self.east & to.bitboard())
            + pawn_moves::<Them>(self.west & to.bitboard())
    }
}
