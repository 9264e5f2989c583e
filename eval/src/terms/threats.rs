//! Attacks on pieces that cost the enemy something.

use tamarin_movegen::{Bitboard, PieceKind, Rank, bishop_attacks, knight_attacks, rook_attacks};

use crate::side::{Attacks, Side, beside};
use crate::tally::Tally;
use crate::terms::danger;
use crate::weights::{Slots, slots};

slots! {
    /// Threats against enemy pieces.
    ///
    /// Source: the list of threats is Stockfish 11's.
    THREATS: ThreatSlots after danger::RANGE {
        /// A knight or bishop attacks a pawn, knight, bishop, rook, queen.
        by_minor: 5,
        /// A rook attacks a poorly defended pawn, knight, bishop, rook, or any queen.
        by_rook: 5,
        /// A safe pawn attacks a knight, bishop, rook, queen.
        by_pawn: 4,
        /// The king attacks a poorly defended piece.
        by_king: 1,
        /// An attacked piece that is not defended, or a weak one attacked twice.
        hanging: 1,
        /// A safe pawn could advance to attack this many pieces.
        by_push: 1,
        /// Squares the enemy attacks, but we do too and no pawn holds them.
        restricted: 1,
        /// Safe squares from which a knight could attack the queen.
        knight_on_queen: 1,
        /// Safe squares, attacked twice, from which a bishop or rook could attack the queen.
        slider_on_queen: 1,
    }
}

/// Counts the threats of one side.
pub(crate) fn threats<T: Tally>(us: &Side, them: &Attacks, t: &mut T) {
    let pieces = us.enemy_all - us.enemy[PieceKind::Pawn];
    // Held: by a pawn, or twice while we attack at most once.
    let held = them.by[PieceKind::Pawn] | (them.twice - us.attacks.twice);
    let defended = pieces & held;
    let weak = us.enemy_all & (us.attacks.all - held);

    let minor = us.attacks.by[PieceKind::Knight] | us.attacks.by[PieceKind::Bishop];
    victims(us, (weak | defended) & minor, THREATS.by_minor, t);
    let rook_prey = (weak | us.enemy[PieceKind::Queen]) & us.attacks.by[PieceKind::Rook];
    victims(us, rook_prey, THREATS.by_rook, t);
    t.add(THREATS.by_king, i32::from((weak & us.attacks.by[PieceKind::King]).any()));
    let hanging = weak & (!them.all | (pieces & us.attacks.twice));
    t.add(THREATS.hanging, hanging.len() as i32);
    let restricted = them.all & (us.attacks.all - held);
    t.add(THREATS.restricted, restricted.len() as i32);
    pawn_threats(us, them, pieces, t);
    if us.enemy[PieceKind::Queen].any() {
        queen_threats(us, held, t);
    }
}

#[inline]
fn victims<T: Tally>(us: &Side, prey: Bitboard, row: Slots<5>, t: &mut T) {
    if prey.any() {
        for (index, enemy) in us.enemy.0.into_iter().take(5).enumerate() {
            t.add(row.at(index), (prey & enemy).len() as i32);
        }
    }
}

fn pawn_threats<T: Tally>(us: &Side, them: &Attacks, pieces: Bitboard, t: &mut T) {
    // A pawn is safe where the enemy does not attack, or we defend.
    let safe = !them.all | us.attacks.all;
    let pawns = us.own[PieceKind::Pawn];
    let attacked = beside(pawns & safe).north();
    if (attacked & pieces).any() {
        for (index, enemy) in us.enemy.0.into_iter().skip(1).take(4).enumerate() {
            t.add(THREATS.by_pawn.at(index), (attacked & enemy).len() as i32);
        }
    }
    let single = pawns.north() - us.occupied;
    let double = (single & Rank::Third.bitboard()).north() - us.occupied;
    let pushes = (single | double) & (safe - them.by[PieceKind::Pawn]);
    let newly = beside(pushes).north() & (pieces - attacked);
    t.add(THREATS.by_push, newly.len() as i32);
}

fn queen_threats<T: Tally>(us: &Side, held: Bitboard, t: &mut T) {
    let queen = us.enemy[PieceKind::Queen].lowest();
    let safe = us.mobility_area - held - us.own[PieceKind::Pawn];
    let knight = us.attacks.by[PieceKind::Knight] & knight_attacks(queen) & safe;
    t.add(THREATS.knight_on_queen, knight.len() as i32);
    let bishop = us.attacks.by[PieceKind::Bishop] & bishop_attacks(queen, us.occupied);
    let rook = us.attacks.by[PieceKind::Rook] & rook_attacks(queen, us.occupied);
    let slider = (bishop | rook) & safe & us.attacks.twice;
    t.add(THREATS.slider_on_queen, slider.len() as i32);
}
