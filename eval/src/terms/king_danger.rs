//! King danger: the attack on the enemy's king, counted in danger units, which
//! [`danger_score`] turns into score.
//!
//! Source: the ingredients, the quadratic middlegame and the linear endgame score are
//! Stockfish 11's king danger; danger weights that are pairs, a value for each phase, are
//! Ethereal's.

use tamarin_movegen::{
    Bitboard, PieceKind, bishop_attacks, king_attacks, knight_attacks, rook_attacks,
};

use crate::params::king_danger::{
    ENDGAME_DIVISOR, FEWEST_ATTACKERS, MAX, MIDDLEGAME_DIVISOR, MOST_SAFE_CHECKS,
};
use crate::perspective::{Attacks, Perspective, fill_north, fill_south, king_flank};
use crate::rows::rows;
use crate::sink::TermSink;
use crate::tapered::S;

rows! {
    /// Danger to the enemy's king, in danger units (see `danger_score`).
    KING_DANGER: KingDangerRows of KingDanger {
        /// Always counts: below zero, it is how much attack the king bears without harm.
        base: 1,
        /// King attackers: knights, bishops, rooks and queens that attack the king ring.
        attacker: 4,
        /// Attacks on squares of the king ring, each piece for itself.
        ring_attacks: 1,
        /// Weak squares of the king ring: attacked, not defended twice, and defended by king
        /// or queen at most.
        weak_squares: 1,
        /// Safe checks by knight, bishop, rook and queen.
        safe_check: 4,
        /// Squares from which a knight, bishop or rook could check, but not safely.
        unsafe_check: 1,
        /// Enemy pieces pinned to their king.
        pinned: 1,
        /// The attacker has no queen.
        no_queen: 1,
        /// An enemy knight defends the king ring.
        knight_defender: 1,
        /// Files around the king without an enemy pawn.
        open_files: 1,
        /// Attacked squares of the king flank, in the defender's camp.
        flank_attack: 1,
        /// Squares there attacked twice.
        flank_double_attack: 1,
        /// Squares there that the enemy defends.
        flank_defense: 1,
    }
}

/// Turns danger into score: quadratic in the middlegame, linear in the endgame.
#[inline]
pub(crate) const fn danger_score(danger: S) -> S {
    let middlegame = clamp(danger.middlegame());
    let endgame = clamp(danger.endgame());
    S::new(middlegame * middlegame / MIDDLEGAME_DIVISOR, endgame / ENDGAME_DIVISOR)
}

/// `danger` within 0 and [`MAX`].
const fn clamp(danger: i32) -> i32 {
    if danger < 0 {
        0
    } else if danger > MAX {
        MAX
    } else {
        danger
    }
}

/// Counts one of our pieces that attacks `attacks`; 1 if it is a king attacker, 0 if not.
#[inline]
pub(crate) fn king_attacker<T: TermSink>(
    us: &Perspective,
    kind: PieceKind,
    attacks: Bitboard,
    sink: &mut T,
) -> i32 {
    let on_ring = attacks & us.enemy_king_ring;
    if on_ring.is_empty() {
        return 0;
    }
    sink.add_danger(KING_DANGER.attacker.at(kind.index() - 1), 1);
    sink.add_danger(KING_DANGER.ring_attacks, on_ring.len() as i32);
    1
}

/// Counts the rest of our attack on the enemy's king, if there are attackers enough.
pub(crate) fn king_danger<T: TermSink>(us: &Perspective, them: &Attacks, sink: &mut T) {
    sink.add_danger(KING_DANGER.base, 1);
    let queen = us.own[PieceKind::Queen].any();
    if us.king_attackers + i32::from(queen) < FEWEST_ATTACKERS {
        return;
    }
    let by_king_or_queen = them.by[PieceKind::King] | them.by[PieceKind::Queen];
    let weak = us.attacks.all & ((by_king_or_queen | !them.all) - them.twice);
    sink.add_danger(KING_DANGER.weak_squares, (us.enemy_king_ring & weak).len() as i32);
    checks(us, them, weak, sink);
    sink.add_danger(KING_DANGER.no_queen, i32::from(!queen));
    let knight_defender = (them.by[PieceKind::Knight] & us.enemy_king_ring).any();
    sink.add_danger(KING_DANGER.knight_defender, i32::from(knight_defender));
    sink.add_danger(KING_DANGER.pinned, them.pinned.len() as i32);
    flank(us, them, sink);
}

/// Checks we could give next move. A square is safe when the enemy does not defend it, or
/// when it is weak and we attack it twice.
fn checks<T: TermSink>(us: &Perspective, them: &Attacks, weak: Bitboard, sink: &mut T) {
    let safe = !them.all | (weak & us.attacks.twice);
    let own = &us.attacks.by;
    // The enemy's queen may move away or be taken: lines go through her.
    let transparent = us.occupied ^ us.enemy[PieceKind::Queen];
    let rook_lines = rook_attacks(us.enemy_king, transparent);
    let bishop_lines = bishop_attacks(us.enemy_king, transparent);
    let free = !us.own_all;
    let knight = knight_attacks(us.enemy_king) & own[PieceKind::Knight] & free;
    let bishop = bishop_lines & own[PieceKind::Bishop] & free;
    let rook = rook_lines & own[PieceKind::Rook] & free;
    let queen = (rook_lines | bishop_lines) & own[PieceKind::Queen] & free;
    // A queen next to the king checks safely only where another piece defends her.
    let queen = queen - (king_attacks(us.enemy_king) - us.attacks.twice);
    for (index, squares) in [knight, bishop, rook, queen].into_iter().enumerate() {
        let count = (squares & safe).len().min(MOST_SAFE_CHECKS);
        sink.add_danger(KING_DANGER.safe_check.at(index), count as i32);
    }
    let unsafe_checks = (knight | bishop | rook) - safe;
    sink.add_danger(KING_DANGER.unsafe_check, unsafe_checks.len() as i32);
}

/// Attack and defense of the king flank, and the open files around the king.
///
/// Source: Stockfish 11's king flank and camp.
fn flank<T: TermSink>(us: &Perspective, them: &Attacks, sink: &mut T) {
    /// The enemy's five ranks.
    const CAMP: Bitboard = Bitboard(0xFFFF_FFFF_FF00_0000);
    let file = us.enemy_king.index() % 8;
    let flank = king_flank(us.enemy_king) & CAMP;
    sink.add_danger(KING_DANGER.flank_attack, (us.attacks.all & flank).len() as i32);
    sink.add_danger(KING_DANGER.flank_double_attack, (us.attacks.twice & flank).len() as i32);
    sink.add_danger(KING_DANGER.flank_defense, (them.all & flank).len() as i32);
    let center = file.clamp(1, 6);
    let pawn_files = fill_south(fill_north(us.enemy[PieceKind::Pawn]));
    let around = Bitboard(0b111 << (center - 1));
    sink.add_danger(KING_DANGER.open_files, (around - pawn_files).len() as i32);
}
