//! Imbalance: what a piece is worth beside other material.
//!
//! Source: L. Kaufman, "The Evaluation of Material Imbalances", 1999; products of counts as
//! weights are Stockfish 11's.

use tamarin_movegen::PieceKind;

use crate::perspective::Perspective;
use crate::rows::rows;
use crate::sink::TermSink;
use crate::terms::material;

rows! {
    /// Products of the numbers of pieces.
    IMBALANCE: ImbalanceRows of Imbalance {
        /// Own pawns times own knights, bishops, rooks, queens.
        pawns: 4,
        /// Enemy pawns times own knights, bishops, rooks, queens.
        enemy_pawns: 4,
        /// Own pawns beside the bishop pair.
        bishop_pair_pawns: 1,
        /// Pairs of own knights, rooks, queens.
        same: 3,
        /// Own rooks times own queens.
        rooks_queens: 1,
        /// Own knights and bishops times enemy queens.
        minors_enemy_queens: 1,
        /// Own rooks times enemy knights and bishops.
        rooks_enemy_minors: 1,
        /// How many own pawns there are.
        pawn_count: 9,
    }
}

/// How many pieces of each kind a side has, and whether it has the bishop pair.
pub(crate) struct Counts {
    pawns: i32,
    knights: i32,
    bishops: i32,
    rooks: i32,
    queens: i32,
    has_pair: bool,
}

impl Counts {
    #[inline]
    pub(crate) fn new(us: &Perspective) -> Self {
        let count = |kind| us.own[kind].len() as i32;
        Self {
            pawns: count(PieceKind::Pawn),
            knights: count(PieceKind::Knight),
            bishops: count(PieceKind::Bishop),
            rooks: count(PieceKind::Rook),
            queens: count(PieceKind::Queen),
            has_pair: material::has_bishop_pair(us),
        }
    }

    /// All of it in 25 bits, of which the highest is set: no count is greater than 10.
    #[inline]
    pub(crate) const fn packed(&self) -> u64 {
        let minors = self.knights << 4 | self.bishops << 8;
        let counts = self.pawns | minors | self.rooks << 12 | self.queens << 16;
        1 << 24 | (self.has_pair as u64) << 20 | counts as u64
    }
}

/// Counts the imbalance of a side with the pieces `own`.
pub(crate) fn imbalance<T: TermSink>(own: &Counts, enemy: &Counts, sink: &mut T) {
    let pieces = [own.knights, own.bishops, own.rooks, own.queens];
    for (index, count) in pieces.into_iter().enumerate() {
        sink.add(IMBALANCE.pawns.at(index), own.pawns * count);
        sink.add(IMBALANCE.enemy_pawns.at(index), enemy.pawns * count);
    }
    sink.add(IMBALANCE.bishop_pair_pawns, own.pawns * i32::from(own.has_pair));
    for (index, count) in [own.knights, own.rooks, own.queens].into_iter().enumerate() {
        sink.add(IMBALANCE.same.at(index), count * (count - 1) / 2);
    }
    sink.add(IMBALANCE.rooks_queens, own.rooks * own.queens);
    sink.add(IMBALANCE.minors_enemy_queens, (own.knights + own.bishops) * enemy.queens);
    sink.add(IMBALANCE.rooks_enemy_minors, own.rooks * (enemy.knights + enemy.bishops));
    sink.add(IMBALANCE.pawn_count.at(own.pawns.min(8) as usize), 1);
}
