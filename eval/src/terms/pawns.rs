//! Pawn structure: what depends on nothing but the pawns.

use tamarin_movegen::{Bitboard, PieceKind, Rank};

use crate::side::{Side, beside, fill_north, fill_south};
use crate::tally::Tally;
use crate::terms::mobility;
use crate::weights::slots;

slots! {
    /// Pawn structure. Rows by rank count from the own home rank.
    PAWNS: PawnSlots after mobility::RANGE {
        /// No own pawn on a neighboring file; by the file's distance from the edge.
        isolated: 4,
        /// An isolated pawn with no enemy pawn before it on its file.
        isolated_open: 1,
        /// An own pawn stands before it on its file.
        doubled: 1,
        /// The same, and no own pawn defends it.
        doubled_loose: 1,
        /// No own pawn can ever defend its next square, which an enemy pawn attacks.
        backward: 1,
        /// A backward pawn with no enemy pawn before it on its file.
        backward_open: 1,
        /// An own pawn stands right beside it; by rank.
        phalanx: 8,
        /// Own pawns that defend it; by rank.
        supported: 8,
        /// Not passed, but no enemy pawn before it on its file, and at least as many
        /// own pawns beside or behind as enemy pawns that guard its way; by rank.
        candidate: 8,
    }
}

/// Counts the pawn structure of one side; `passed` are its passed pawns.
pub(crate) fn pawns<T: Tally>(us: &Side, passed: Bitboard, t: &mut T) {
    let own = us.own[PieceKind::Pawn];
    let enemy = us.enemy[PieceKind::Pawn];
    let attacks = beside(own).north();
    let enemy_attacks = beside(enemy).south();

    // A square some own pawn attacks now or after advancing.
    let coverable = fill_north(attacks);
    let neighbored = beside(fill_north(fill_south(own)));
    let unopposed = own - fill_south(enemy.south());
    let isolated = own - neighbored;
    let doubled = own & fill_south(own.south());
    let backward = (own.north() & (enemy_attacks - coverable)).south() - isolated;

    for square in isolated {
        let file = square.index() % 8;
        t.add(PAWNS.isolated.at(file.min(7 - file)), 1);
    }
    t.add(PAWNS.isolated_open, (isolated & unopposed).len() as i32);
    t.add(PAWNS.doubled, doubled.len() as i32);
    t.add(PAWNS.doubled_loose, (doubled - attacks).len() as i32);
    t.add(PAWNS.backward, backward.len() as i32);
    t.add(PAWNS.backward_open, (backward & unopposed).len() as i32);
    for square in own & beside(own) {
        t.add(PAWNS.phalanx.at(square.rank().index()), 1);
    }
    for square in own & attacks {
        let supporters = beside(square.bitboard()).south() & own;
        t.add(PAWNS.supported.at(square.rank().index()), supporters.len() as i32);
    }
    for square in (unopposed & !doubled) - passed {
        let way = beside(fill_north(square.bitboard().north()));
        let helpers = beside(fill_south(square.bitboard())) & own;
        if helpers.len() >= (way & enemy).len() {
            t.add(PAWNS.candidate.at(square.rank().index()), 1);
        }
    }
    debug_assert!((own & (Rank::First.bitboard() | Rank::Eighth.bitboard())).is_empty());
}
