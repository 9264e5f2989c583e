//! Pawn structure: what depends on nothing but the pawns.

use tamarin_movegen::{Bitboard, PieceKind, Rank};

use crate::perspective::{Perspective, beside, fill_north, fill_south};
use crate::rows::rows;
use crate::sink::TermSink;

rows! {
    /// Pawn structure. Rows by rank count from the own home rank.
    PAWNS: PawnRows of Pawns {
        /// No own pawn on a neighboring file; by the file's distance from the edge.
        isolated: 4,
        /// An isolated pawn that is unopposed: no enemy pawn before it on its file.
        isolated_unopposed: 1,
        /// An own pawn stands before it on its file.
        doubled: 1,
        /// A doubled pawn that no own pawn supports.
        doubled_unsupported: 1,
        /// No own pawn can ever defend its next square, which an enemy pawn attacks.
        backward: 1,
        /// A backward pawn that is unopposed.
        backward_unopposed: 1,
        /// Phalanx: an own pawn stands right beside it; by rank.
        phalanx: 8,
        /// Own pawns that defend it; by rank.
        supported: 8,
        /// Candidate passed pawn: unopposed, not passed, and on the neighboring files at least
        /// as many own pawns beside or behind it as enemy pawns before it; by rank.
        candidate: 8,
    }
}

/// Counts the pawn structure of one side; `passed` are its passed pawns.
pub(crate) fn pawns<T: TermSink>(us: &Perspective, passed: Bitboard, sink: &mut T) {
    let own = us.own[PieceKind::Pawn];
    let enemy = us.enemy[PieceKind::Pawn];
    let attacks = beside(own).north();
    let enemy_attacks = beside(enemy).south();

    // Squares that some own pawn attacks now or after advancing.
    let attack_span = fill_north(attacks);
    let neighbor_files = beside(fill_north(fill_south(own)));
    let unopposed = own - fill_south(enemy.south());
    let isolated = own - neighbor_files;
    let doubled = own & fill_south(own.south());
    let backward = (own.north() & (enemy_attacks - attack_span)).south() - isolated;

    for square in isolated {
        let file = square.index() % 8;
        sink.add(PAWNS.isolated.at(file.min(7 - file)), 1);
    }
    sink.add(PAWNS.isolated_unopposed, (isolated & unopposed).len() as i32);
    sink.add(PAWNS.doubled, doubled.len() as i32);
    sink.add(PAWNS.doubled_unsupported, (doubled - attacks).len() as i32);
    sink.add(PAWNS.backward, backward.len() as i32);
    sink.add(PAWNS.backward_unopposed, (backward & unopposed).len() as i32);
    for square in own & beside(own) {
        sink.add(PAWNS.phalanx.at(square.rank().index()), 1);
    }
    for square in own & attacks {
        let supporters = beside(square.bitboard()).south() & own;
        sink.add(PAWNS.supported.at(square.rank().index()), supporters.len() as i32);
    }
    for square in (unopposed & !doubled) - passed {
        let way = beside(fill_north(square.bitboard().north()));
        let helpers = beside(fill_south(square.bitboard())) & own;
        if helpers.len() >= (way & enemy).len() {
            sink.add(PAWNS.candidate.at(square.rank().index()), 1);
        }
    }
    debug_assert!((own & (Rank::First.bitboard() | Rank::Eighth.bitboard())).is_empty());
}
