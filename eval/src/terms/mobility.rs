//! How many useful squares each piece reaches.
//!
//! Bishops see through queens and rooks through queens and own rooks, because those
//! attack together.
//!
//! Source: Stockfish 11's attack sets.

use tamarin_movegen::{
    Bitboard, PieceKind, Square, bishop_attacks, knight_attacks, line, queen_attacks, rook_attacks,
};

use crate::side::Side;
use crate::tally::Tally;
use crate::terms::{danger, pieces, psqt};
use crate::weights::slots;

slots! {
    /// Mobility, by the number of squares reached inside the mobility area.
    MOBILITY: MobilitySlots after psqt::RANGE {
        /// Knight: 0 to 8 squares.
        knight: 9,
        /// Bishop: 0 to 13 squares, more when it looks through queens.
        bishop: 15,
        /// Rook: 0 to 14 squares.
        rook: 15,
        /// Queen: 0 to 27 squares.
        queen: 28,
    }
}

/// Goes over the knights, bishops, rooks and queens of one side, once: counts their
/// squares and mobility, judges bishops and rooks, and collects what they attack for the terms after
/// this.
pub(crate) fn mobility<T: Tally>(us: &mut Side, t: &mut T) {
    let mut walk = Walk { all: us.attacks.all, twice: us.attacks.twice, hunters: 0 };
    let queens = us.own[PieceKind::Queen] | us.enemy[PieceKind::Queen];
    let own_lines = us.occupied ^ (queens | us.own[PieceKind::Rook]);
    let knights = walk.kind(us, PieceKind::Knight, knight_attacks, t, |_, _, count, t| {
        t.add(MOBILITY.knight.at(count), 1);
    });
    let diagonal = |square| bishop_attacks(square, us.occupied ^ queens);
    let bishops = walk.kind(us, PieceKind::Bishop, diagonal, t, |square, reach, count, t| {
        t.add(MOBILITY.bishop.at(count), 1);
        pieces::bishop(us, square, reach, t);
    });
    let straight = |square| rook_attacks(square, own_lines);
    let rooks = walk.kind(us, PieceKind::Rook, straight, t, |square, _, count, t| {
        t.add(MOBILITY.rook.at(count), 1);
        pieces::rook(us, square, count, t);
    });
    let both = |square| queen_attacks(square, us.occupied);
    let queens = walk.kind(us, PieceKind::Queen, both, t, |_, _, count, t| {
        t.add(MOBILITY.queen.at(count), 1);
    });
    us.attacks.by[PieceKind::Knight] = knights;
    us.attacks.by[PieceKind::Bishop] = bishops;
    us.attacks.by[PieceKind::Rook] = rooks;
    us.attacks.by[PieceKind::Queen] = queens;
    us.attacks.all = walk.all;
    us.attacks.twice = walk.twice;
    us.hunters = walk.hunters;
}

/// What is collected on the way, in registers.
struct Walk {
    all: Bitboard,
    twice: Bitboard,
    hunters: i32,
}

impl Walk {
    /// Goes over the pieces of one kind, which reach what `reach` says, and returns all
    /// they attack. A pinned piece only attacks along its pin. `each` gets a piece's
    /// square, its reach and how many useful squares are in it.
    #[inline(always)]
    fn kind<T: Tally>(
        &mut self,
        us: &Side,
        kind: PieceKind,
        reach: impl Fn(Square) -> Bitboard,
        t: &mut T,
        each: impl Fn(Square, Bitboard, usize, &mut T),
    ) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for square in us.own[kind] {
            let mut reach = reach(square);
            if us.attacks.pinned.has(square) {
                reach &= line(us.king, square);
            }
            self.twice |= self.all & reach;
            self.all |= reach;
            attacks |= reach;
            self.hunters += danger::attacker(us, kind, reach, t);
            each(square, reach, (reach & us.mobility_area).len() as usize, t);
        }
        attacks
    }
}
