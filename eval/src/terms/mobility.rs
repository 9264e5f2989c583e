//! Mobility: how many squares of the mobility area each piece attacks.
//!
//! Bishops see through queens and rooks through queens and own rooks, because those attack
//! together (x-ray attacks).
//!
//! Source: Stockfish 11's mobility.

use tamarin_movegen::{
    Bitboard, PieceKind, Square, bishop_attacks, knight_attacks, line, queen_attacks, rook_attacks,
};

use crate::perspective::Perspective;
use crate::rows::rows;
use crate::sink::TermSink;
use crate::terms::{king_danger, pieces};

rows! {
    /// Mobility, by the number of attacked squares in the mobility area.
    MOBILITY: MobilityRows of Mobility {
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

/// Goes over the knights, bishops, rooks and queens of one side, once: counts their mobility
/// and what else depends on a single piece's attacks, and collects the attacks for the terms
/// that come after.
pub(crate) fn mobility<T: TermSink>(us: &mut Perspective, sink: &mut T) {
    let queens = us.own[PieceKind::Queen] | us.enemy[PieceKind::Queen];
    let through_queens = us.occupied ^ queens;
    let through_rooks = us.occupied ^ (queens | us.own[PieceKind::Rook]);
    let mut scan = Scan { all: us.attacks.all, twice: us.attacks.twice, king_attackers: 0 };
    let knights = scan.kind(us, PieceKind::Knight, knight_attacks, sink, |_, _, mobility, sink| {
        sink.add(MOBILITY.knight.at(mobility), 1);
    });
    let attacks = |square| bishop_attacks(square, through_queens);
    let bishops =
        scan.kind(us, PieceKind::Bishop, attacks, sink, |square, attacks, mobility, sink| {
            sink.add(MOBILITY.bishop.at(mobility), 1);
            pieces::bishop(us, square, attacks, sink);
        });
    let attacks = |square| rook_attacks(square, through_rooks);
    let rooks = scan.kind(us, PieceKind::Rook, attacks, sink, |square, _, mobility, sink| {
        sink.add(MOBILITY.rook.at(mobility), 1);
        pieces::rook(us, square, mobility, sink);
    });
    let attacks = |square| queen_attacks(square, us.occupied);
    let queens = scan.kind(us, PieceKind::Queen, attacks, sink, |_, _, mobility, sink| {
        sink.add(MOBILITY.queen.at(mobility), 1);
    });
    us.attacks.by[PieceKind::Knight] = knights;
    us.attacks.by[PieceKind::Bishop] = bishops;
    us.attacks.by[PieceKind::Rook] = rooks;
    us.attacks.by[PieceKind::Queen] = queens;
    us.attacks.all = scan.all;
    us.attacks.twice = scan.twice;
    us.king_attackers = scan.king_attackers;
}

/// What is collected while going over the pieces.
struct Scan {
    /// Squares attacked so far.
    all: Bitboard,
    /// Squares attacked twice so far.
    twice: Bitboard,
    king_attackers: i32,
}

impl Scan {
    /// Goes over the pieces of one kind and returns all squares they attack. `attacks_from`
    /// says what such a piece attacks from a square; a pinned piece only attacks along its
    /// pin. `each` gets a piece's square, attacks and mobility.
    #[inline]
    fn kind<T: TermSink>(
        &mut self,
        us: &Perspective,
        kind: PieceKind,
        attacks_from: impl Fn(Square) -> Bitboard,
        sink: &mut T,
        each: impl Fn(Square, Bitboard, usize, &mut T),
    ) -> Bitboard {
        let mut by_kind = Bitboard::EMPTY;
        for square in us.own[kind] {
            let mut attacks = attacks_from(square);
            if us.attacks.pinned.has(square) {
                attacks &= line(us.king, square);
            }
            self.twice |= self.all & attacks;
            self.all |= attacks;
            by_kind |= attacks;
            self.king_attackers += king_danger::king_attacker(us, kind, attacks, sink);
            each(square, attacks, (attacks & us.mobility_area).len() as usize, sink);
        }
        by_kind
    }
}
