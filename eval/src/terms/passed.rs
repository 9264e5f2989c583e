//! Passed pawns: their rank, the kings' distances, blockers, the path, rooks behind them.

use tamarin_movegen::{Bitboard, PieceKind, Square};

use crate::params::MAX_KING_DISTANCE;
use crate::perspective::{Attacks, Perspective, beside, fill_north, fill_south};
use crate::rows::rows;
use crate::sink::TermSink;

rows! {
    /// Passed pawns. Rows of eight are by rank, counted from the own home rank.
    PASSED: PassedRows of PassedPawns {
        /// The pawn itself.
        rank: 8,
        /// Steps of the own king to the stop square (the square before the pawn), up to
        /// [`MAX_KING_DISTANCE`].
        own_king: 8,
        /// The same for the enemy king.
        enemy_king: 8,
        /// An enemy piece stands on the stop square.
        blocked: 8,
        /// The stop square is empty and the enemy does not attack it.
        safe_stop: 8,
        /// The enemy neither occupies nor attacks any square before the pawn on its file.
        safe_path: 8,
        /// An own piece defends the stop square.
        defended_stop: 8,
        /// An own rook or queen behind the pawn with nothing between.
        rook_behind: 1,
        /// An enemy rook or queen behind the pawn with nothing between.
        enemy_rook_behind: 1,
        /// Rule of the square: the enemy has only king and pawns, the path is free, and the
        /// enemy king is too far to catch the pawn.
        unstoppable: 1,
    }
}

/// The own passed pawns: no enemy pawn can block or capture them on their way. Of doubled
/// pawns only the front one counts.
pub(crate) fn find(us: &Perspective) -> Bitboard {
    let own = us.own[PieceKind::Pawn];
    let enemy = us.enemy[PieceKind::Pawn];
    let stopped = fill_south((enemy | beside(enemy)).south());
    own - stopped - fill_south(own.south())
}

/// Counts what depends on pawns and kings only.
pub(crate) fn kings<T: TermSink>(us: &Perspective, passed: Bitboard, sink: &mut T) {
    for square in passed {
        let rank = square.rank().index();
        let stop = Square::from_masked(square as u8 + 8);
        sink.add(PASSED.rank.at(rank), 1);
        sink.add(
            PASSED.own_king.at(rank),
            i32::from(us.king.distance(stop).min(MAX_KING_DISTANCE)),
        );
        sink.add(
            PASSED.enemy_king.at(rank),
            i32::from(us.enemy_king.distance(stop).min(MAX_KING_DISTANCE)),
        );
    }
}

/// Counts what depends on the other pieces.
pub(crate) fn pieces<T: TermSink>(
    us: &Perspective,
    them: &Attacks,
    passed: Bitboard,
    sink: &mut T,
) {
    let own_major = us.own[PieceKind::Rook] | us.own[PieceKind::Queen];
    let enemy_major = us.enemy[PieceKind::Rook] | us.enemy[PieceKind::Queen];
    for square in passed {
        let rank = square.rank().index();
        let stop = square.bitboard().north();
        let path = fill_north(stop);
        let unsafe_squares = them.all | us.enemy_all;
        if (stop & us.enemy_all).any() {
            sink.add(PASSED.blocked.at(rank), 1);
        } else if (stop & (unsafe_squares | us.occupied)).is_empty() {
            sink.add(PASSED.safe_stop.at(rank), 1);
        }
        if (path & unsafe_squares).is_empty() {
            sink.add(PASSED.safe_path.at(rank), 1);
        }
        if (stop & us.attacks.all).any() {
            sink.add(PASSED.defended_stop.at(rank), 1);
        }
        // The nearest piece behind the pawn, if any.
        let behind = fill_south(square.bitboard().south()) & us.occupied;
        if let Some(nearest) = behind.last() {
            sink.add(PASSED.rook_behind, i32::from(own_major.has(nearest)));
            sink.add(PASSED.enemy_rook_behind, i32::from(enemy_major.has(nearest)));
        }
    }
}

/// Counts the unstoppable passed pawns of a pawn ending, by the rule of the square.
pub(crate) fn unstoppable<T: TermSink>(us: &Perspective, passed: Bitboard, sink: &mut T) {
    let pieces = us.enemy_all - us.enemy[PieceKind::Pawn] - us.enemy[PieceKind::King];
    if pieces.any() {
        return;
    }
    for square in passed {
        if (fill_north(square.bitboard().north()) & us.occupied).any() {
            continue;
        }
        let promotion = Square::from_masked(56 + square.index() as u8 % 8);
        // From its home square the pawn saves a step.
        let steps = (7 - square.rank().index()).min(5) as u8;
        if us.enemy_king.distance(promotion) > steps + u8::from(!us.to_move) {
            sink.add(PASSED.unstoppable, 1);
        }
    }
}
