//! Passed pawns: how far they are, who can stop them, who helps them.

use tamarin_movegen::{Bitboard, PieceKind, Square};

use crate::side::{Attacks, Side, beside, fill_north, fill_south};
use crate::tally::Tally;
use crate::terms::pawns;
use crate::weights::slots;

slots! {
    /// Passed pawns. Every row is by rank, counted from the own home rank.
    PASSED: PassedSlots after pawns::RANGE {
        /// The pawn itself.
        rank: 8,
        /// Steps of the own king to the square before the pawn, at most 5.
        own_king: 8,
        /// Steps of the enemy king to the square before the pawn, at most 5.
        enemy_king: 8,
        /// An enemy piece stands before the pawn.
        blocked: 8,
        /// The square before the pawn is empty and the enemy does not attack it.
        safe_step: 8,
        /// No square on the way is occupied or attacked by the enemy.
        safe_way: 8,
        /// An own piece attacks the square before the pawn.
        escorted: 8,
        /// An own rook or queen behind the pawn with nothing between.
        rook_behind: 1,
        /// An enemy rook or queen behind the pawn with nothing between.
        enemy_rook_behind: 1,
        /// The enemy has only king and pawns, and its king is too far to catch the pawn.
        runner: 1,
    }
}

/// The own pawns that no enemy pawn can stop or take, the rearmost of a file aside.
pub(crate) fn find(us: &Side) -> Bitboard {
    let own = us.own[PieceKind::Pawn];
    let enemy = us.enemy[PieceKind::Pawn];
    let guarded = fill_south((enemy | beside(enemy)).south());
    own - guarded - fill_south(own.south())
}

/// The part that depends on pawns and kings only.
pub(crate) fn passed_and_kings<T: Tally>(us: &Side, passed: Bitboard, t: &mut T) {
    for square in passed {
        let rank = square.rank().index();
        let stop = Square::from_masked(square as u8 + 8);
        t.add(PASSED.rank.at(rank), 1);
        t.add(PASSED.own_king.at(rank), i32::from(us.king.distance(stop).min(5)));
        t.add(PASSED.enemy_king.at(rank), i32::from(us.enemy_king.distance(stop).min(5)));
    }
}

/// The part that depends on the other pieces.
pub(crate) fn passed_and_pieces<T: Tally>(us: &Side, them: &Attacks, passed: Bitboard, t: &mut T) {
    let own_heavy = us.own[PieceKind::Rook] | us.own[PieceKind::Queen];
    let enemy_heavy = us.enemy[PieceKind::Rook] | us.enemy[PieceKind::Queen];
    for square in passed {
        let rank = square.rank().index();
        let stop = square.bitboard().north();
        let way = fill_north(stop);
        let guarded = them.all | us.enemy_all;
        if (stop & us.enemy_all).any() {
            t.add(PASSED.blocked.at(rank), 1);
        } else if (stop & (guarded | us.occupied)).is_empty() {
            t.add(PASSED.safe_step.at(rank), 1);
        }
        if (way & guarded).is_empty() {
            t.add(PASSED.safe_way.at(rank), 1);
        }
        if (stop & us.attacks.all).any() {
            t.add(PASSED.escorted.at(rank), 1);
        }
        // The nearest piece behind the pawn, if any.
        let behind = fill_south(square.bitboard().south()) & us.occupied;
        if let Some(nearest) = behind.last() {
            t.add(PASSED.rook_behind, i32::from(own_heavy.has(nearest)));
            t.add(PASSED.enemy_rook_behind, i32::from(enemy_heavy.has(nearest)));
        }
    }
}

/// Pawns that outrun the enemy king in a pawn ending.
pub(crate) fn runners<T: Tally>(us: &Side, passed: Bitboard, to_move: bool, t: &mut T) {
    let pieces = us.enemy_all - us.enemy[PieceKind::Pawn] - us.enemy[PieceKind::King];
    if pieces.any() {
        return;
    }
    for square in passed {
        if (fill_north(square.bitboard().north()) & us.occupied).any() {
            continue;
        }
        let goal = Square::from_masked(56 + square.index() as u8 % 8);
        let steps = (7 - square.rank().index()).min(5) as u8;
        if us.enemy_king.distance(goal) > steps + u8::from(!to_move) {
            t.add(PASSED.runner, 1);
        }
    }
}
