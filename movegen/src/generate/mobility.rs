//! The replies after a pass, and what a change of squares adds or takes away.

use core::marker::PhantomData;

use super::Masks;
use crate::attacks::beyond;
use crate::side_to_move::SideToMove;
use crate::{
    Bitboard, Board, PieceKind, Square, between, bishop_attacks, knight_attacks, pawn_attacks,
    rook_attacks,
};

/// The replies of side `Them` after a pass, and what a change of a square adds or takes away.
pub(super) struct Mobility<Them> {
    /// All replies, those of the king included.
    pub(super) count: i64,
    /// The pieces that are not pinned.
    knights: Bitboard,
    diagonal: Bitboard,
    orthogonal: Bitboard,
    /// Pawns that may be pushed, if the squares ahead are empty.
    pushers: Bitboard,
    /// Where they arrive by pushes and by double pushes.
    single: Bitboard,
    double: Bitboard,
    /// What pawns that are not pinned attack, towards the h-file and towards the a-file.
    east: Bitboard,
    west: Bitboard,
    /// What the sliders see.
    reach: Bitboard,
    /// Squares that change the count if they are left or entered.
    pub(super) touched: Bitboard,
    /// The lines of pins.
    pins: Bitboard,
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
    pub(super) fn of(board: &Board, pins: &Masks, king_replies: i64) -> Self {
        let own = board.color(Them::COLOR);
        let enemies = board.color(Them::Them::COLOR);
        let occupied = board.occupied();
        let (orthogonal_pins, diagonal_pins) = (pins.orthogonal_pins, pins.diagonal_pins);
        let all_pins = pins.pins();

        let mut count = king_replies;
        let knights = board.of(Them::COLOR, PieceKind::Knight) - all_pins;
        for knight in knights {
            count += i64::from((knight_attacks(knight) - own).len());
        }
        let mut reach = Bitboard::EMPTY;
        let diagonal = board.diagonal_sliders(Them::COLOR);
        for slider in diagonal - all_pins {
            let view = bishop_attacks(slider, occupied);
            reach |= view;
            count += i64::from((view - own).len());
        }
        let orthogonal = board.orthogonal_sliders(Them::COLOR);
        for slider in orthogonal - all_pins {
            let view = rook_attacks(slider, occupied);
            reach |= view;
            count += i64::from((view - own).len());
        }
        for slider in diagonal & diagonal_pins {
            count += i64::from((bishop_attacks(slider, occupied) & (diagonal_pins - own)).len());
        }
        for slider in orthogonal & orthogonal_pins {
            count += i64::from((rook_attacks(slider, occupied) & (orthogonal_pins - own)).len());
        }

        let pawns = board.of(Them::COLOR, PieceKind::Pawn);
        let across = orthogonal_pins - board.king(Them::COLOR).file().bitboard();
        let pushers = pawns - diagonal_pins - across;
        let (single, double) = pushes::<Them>(pushers, !occupied);
        let attacks = |pawns: Bitboard| (Them::push(pawns).east(), Them::push(pawns).west());
        let (east, west) = attacks(pawns - all_pins);
        let pinned = attacks(pawns & diagonal_pins);
        count += pawn_moves::<Them>(single)
            + i64::from(double.len())
            + pawn_moves::<Them>(east & enemies)
            + pawn_moves::<Them>(west & enemies)
            + pawn_moves::<Them>((pinned.0 | pinned.1) & diagonal_pins & enemies);
        let ahead = Them::push(pushers);
        let touched = own | reach | east | west | ahead | Them::push(ahead & Them::THIRD_RANK);
        Self {
            count,
            knights,
            diagonal: diagonal - all_pins,
            orthogonal: orthogonal - all_pins,
            pushers,
            single,
            double,
            east,
            west,
            reach,
            touched,
            pins: all_pins,
            side: PhantomData,
        }
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
        for slider in (diagonal_view & self.diagonal) | (orthogonal_view & self.orthogonal) {
            let seen = beyond(slider, square) & view;
            count += i64::from((seen - own).len());
            squares |= seen;
        }
        (count, squares)
    }

    /// The sum of the replies after moves of the piece on `from` to each of the targets.
    #[inline(always)]
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
        count += pawn_moves::<Them>(single - self.single);
        count += i64::from((double - self.double).len());

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
        for to in targets & them {
            sum += self.recaptures(board, from, to, occupied);
        }
        sum
    }

    /// The captures of a piece that has come from `from` to `to` by pieces, less the moves of
    /// the piece it has captured.
    #[inline]
    fn recaptures(&self, board: &Board, from: Square, to: Square, occupied: Bitboard) -> i64 {
        let own = board.color(Them::COLOR);
        let diagonal_view = bishop_attacks(to, occupied);
        let orthogonal_view = rook_attacks(to, occupied);
        let attackers = (diagonal_view & self.diagonal).len()
            + (orthogonal_view & self.orthogonal).len()
            + (knight_attacks(to) & self.knights).len();
        let mut count = i64::from(attackers);
        let captured = to.bitboard();
        if self.knights.has(to) {
            return count - i64::from((knight_attacks(to) - own).len());
        }
        if board.pieces(PieceKind::Pawn).has(to) {
            let (single, double) = pushes::<Them>(captured, !occupied);
            let enemies = board.color(Them::Them::COLOR).without(from);
            return count
                - pawn_moves::<Them>(single)
                - i64::from(double.len())
                - pawn_moves::<Them>(pawn_attacks(Them::COLOR, to) & enemies);
        }
        if self.diagonal.has(to) {
            count -= i64::from((diagonal_view - own).len());
        }
        if self.orthogonal.has(to) {
            count -= i64::from((orthogonal_view - own).len());
        }
        count
    }

    /// The replies other than those of the king to a check from `to`, where no pin has changed.
    pub(super) fn evasions(&self, board: &Board, from: Square, to: Square) -> i64 {
        let occupied = board.occupied().without(from).with(to);
        let path = between(board.king(Them::COLOR), to);
        let knights = self.knights.without(to);
        let (diagonal, orthogonal) = (self.diagonal.without(to), self.orthogonal.without(to));
        let attackers = |square| {
            (knight_attacks(square) & knights).len()
                + (bishop_attacks(square, occupied) & diagonal).len()
                + (rook_attacks(square, occupied) & orthogonal).len()
        };
        let by_pieces: u32 = path.with(to).into_iter().map(attackers).sum();
        let (single, double) = pushes::<Them>((self.pushers - self.pins).without(to), !occupied);
        i64::from(by_pieces)
            + pawn_moves::<Them>(single & path)
            + i64::from((double & path).len())
            + pawn_moves::<Them>(self.east & to.bitboard())
            + pawn_moves::<Them>(self.west & to.bitboard())
    }
}
