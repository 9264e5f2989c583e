//! The attack on the enemy's king: counted in danger, which a curve turns into score.
//!
//! Source: the ingredients are Stockfish 11's king danger, the two accumulators with
//! a quadratic middlegame and a linear endgame curve are Ethereal's.

use tamarin_movegen::{
    Bitboard, PieceKind, bishop_attacks, king_attacks, knight_attacks, rook_attacks,
};

use crate::side::{Attacks, Side};
use crate::tally::Tally;
use crate::tapered::S;
use crate::terms::king;
use crate::weights::slots;

slots! {
    /// Danger to the enemy's king, in danger units (see `curve`).
    DANGER: DangerSlots after king::RANGE {
        /// Always there: how much it takes until an attack is felt.
        base: 1,
        /// Knights, bishops, rooks and queens that reach the king's zone.
        attacker: 4,
        /// Squares of the zone that pieces reach, each piece for itself.
        zone_hits: 1,
        /// Squares of the zone attacked, and defended by king and queen at most.
        weak_squares: 1,
        /// Safe checks by knight, bishop, rook and queen.
        safe_check: 4,
        /// Squares from which a knight, bishop or rook could check, but not safely.
        unsafe_check: 1,
        /// Enemy pieces pinned to their king.
        pinned: 1,
        /// The attacker has no queen.
        no_queen: 1,
        /// An enemy knight guards the zone.
        knight_guard: 1,
        /// Files around the king without an enemy pawn.
        open_files: 1,
        /// Attacked squares on the king's wing, in the defender's camp.
        wing_attack: 1,
        /// Squares there attacked twice.
        wing_double_attack: 1,
        /// Squares there that the enemy defends.
        wing_defense: 1,
    }
}

/// Turns danger into score: quadratic in the middlegame, linear in the endgame.
#[inline]
pub(crate) const fn curve(danger: S) -> S {
    let middlegame = clamp(danger.middlegame(), MAX_DANGER);
    let endgame = clamp(danger.endgame(), MAX_DANGER);
    S::new(middlegame * middlegame / MIDDLEGAME_DIVISOR, endgame / ENDGAME_DIVISOR)
}

/// Beyond this, more attack changes nothing: the score stays within one half of [`S`].
pub(crate) const MAX_DANGER: i32 = 4000;
/// Danger squared over this is score in the middlegame.
pub(crate) const MIDDLEGAME_DIVISOR: i32 = 4096;
/// Danger over this is score in the endgame.
pub(crate) const ENDGAME_DIVISOR: i32 = 16;

const fn clamp(danger: i32, most: i32) -> i32 {
    if danger < 0 {
        0
    } else if danger > most {
        most
    } else {
        danger
    }
}

/// Counts one piece of ours that reaches `reach`; 1 if the enemy king's zone is in it.
#[inline(always)]
pub(crate) fn attacker<T: Tally>(us: &Side, kind: PieceKind, reach: Bitboard, t: &mut T) -> i32 {
    let hits = reach & us.target_zone;
    if hits.is_empty() {
        return 0;
    }
    t.add_danger(DANGER.attacker.at(kind.index() - 1), 1);
    t.add_danger(DANGER.zone_hits, hits.len() as i32);
    1
}

/// Counts the rest of our attack on the enemy's king. A single attacker without
/// a queen beside it mates nobody: nothing more is counted then.
pub(crate) fn danger<T: Tally>(us: &Side, them: &Attacks, t: &mut T) {
    t.add_danger(DANGER.base, 1);
    let queen = us.own[PieceKind::Queen].any();
    if us.hunters + i32::from(queen) < 2 {
        return;
    }
    // Squares only the king or a queen of the enemy defends, and not twice.
    let held_by_few = them.by[PieceKind::King] | them.by[PieceKind::Queen] | !them.all;
    let barely = (held_by_few - them.twice) & us.attacks.all;
    t.add_danger(DANGER.weak_squares, (us.target_zone & barely).len() as i32);
    checks(us, them, barely, t);
    t.add_danger(DANGER.no_queen, i32::from(!queen));
    let guarded = (them.by[PieceKind::Knight] & us.target_zone).any();
    t.add_danger(DANGER.knight_guard, i32::from(guarded));
    t.add_danger(DANGER.pinned, them.pinned.len() as i32);
    wing(us, them, t);
}

/// Checks we could give next move. A square is safe when the enemy does not defend
/// it, or defends it barely while we attack it twice.
fn checks<T: Tally>(us: &Side, them: &Attacks, barely: Bitboard, t: &mut T) {
    let safe = !them.all | (barely & us.attacks.twice);
    let own = &us.attacks.by;
    let transparent = us.occupied ^ us.enemy[PieceKind::Queen];
    let rook_lines = rook_attacks(us.enemy_king, transparent);
    let bishop_lines = bishop_attacks(us.enemy_king, transparent);
    let free = !us.own_all;
    let knight = knight_attacks(us.enemy_king) & own[PieceKind::Knight] & free;
    let bishop = bishop_lines & own[PieceKind::Bishop] & free;
    let rook = rook_lines & own[PieceKind::Rook] & free;
    let queen = (rook_lines | bishop_lines) & own[PieceKind::Queen] & free;
    // A queen next to the king checks safely only where another piece stands by it.
    let queen = queen - (king_attacks(us.enemy_king) - us.attacks.twice);
    for (index, set) in [knight, bishop, rook, queen].into_iter().enumerate() {
        t.add_danger(DANGER.safe_check.at(index), (set & safe).len().min(2) as i32);
    }
    let unsafe_checks = (knight | bishop | rook) - safe;
    t.add_danger(DANGER.unsafe_check, unsafe_checks.len() as i32);
}

/// The fight for the king's wing, and the files that are open there.
fn wing<T: Tally>(us: &Side, them: &Attacks, t: &mut T) {
    const DEFENDERS_CAMP: Bitboard = Bitboard(0xFFFF_FFFF_FF00_0000);
    /// The king's wing by its file: at least four files, the king's among them.
    const WINGS: [u64; 8] = [
        0x0707_0707_0707_0707,
        0x0F0F_0F0F_0F0F_0F0F,
        0x0F0F_0F0F_0F0F_0F0F,
        0x3C3C_3C3C_3C3C_3C3C,
        0x3C3C_3C3C_3C3C_3C3C,
        0xF0F0_F0F0_F0F0_F0F0,
        0xF0F0_F0F0_F0F0_F0F0,
        0xE0E0_E0E0_E0E0_E0E0,
    ];
    let file = us.enemy_king.index() % 8;
    let camp = Bitboard(WINGS[file]) & DEFENDERS_CAMP;
    t.add_danger(DANGER.wing_attack, (us.attacks.all & camp).len() as i32);
    t.add_danger(DANGER.wing_double_attack, (us.attacks.twice & camp).len() as i32);
    t.add_danger(DANGER.wing_defense, (them.all & camp).len() as i32);
    let center = file.clamp(1, 6);
    let pawn_files = crate::side::fill_south(crate::side::fill_north(us.enemy[PieceKind::Pawn]));
    let around = Bitboard(0b111 << (center - 1));
    t.add_danger(DANGER.open_files, (around - pawn_files).len() as i32);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tapered::s;

    #[test]
    fn curve_is_flat_below_zero_and_grows_above() {
        assert_eq!(curve(s(-500, -500)), S::ZERO);
        assert_eq!(curve(s(MIDDLEGAME_DIVISOR, 0)), curve(s(MAX_DANGER, 0)));
        let at = |danger| curve(s(danger, danger));
        assert!((1..MAX_DANGER).all(|d| at(d).middlegame() >= at(d - 1).middlegame()));
        assert!(at(800).middlegame() > 3 * at(400).middlegame());
    }
}
