//! Threats: attacks on pieces that win material unless the enemy answers.
//!
//! Source: the list of threats is Stockfish 11's.

use tamarin_movegen::{Bitboard, PieceKind, Rank, bishop_attacks, knight_attacks, rook_attacks};

use crate::perspective::{Attacks, Perspective, beside};
use crate::rows::{Row, rows};
use crate::sink::TermSink;

rows! {
    /// Threats against enemy pieces. A piece is strongly protected when a pawn defends it, or
    /// two pieces defend it and we attack it once at most; else it is weak when we attack it.
    THREATS: ThreatRows of Threats {
        /// A knight or bishop attacks a pawn, knight, bishop, rook, queen.
        by_minor: 5,
        /// A rook attacks a weak pawn, knight, bishop or rook, or any queen.
        by_rook: 5,
        /// A safe pawn attacks a knight, bishop, rook, queen.
        by_pawn: 4,
        /// The king attacks a weak piece.
        by_king: 1,
        /// Weak pawns and pieces that are not defended, and weak pieces attacked twice.
        hanging: 1,
        /// Pieces that a pawn could attack by a safe push.
        by_push: 1,
        /// Squares that both sides attack and the enemy does not strongly protect: its moves
        /// there are restricted.
        restricted: 1,
        /// Safe squares from which a knight could attack the queen next move.
        knight_on_queen: 1,
        /// Safe squares, attacked twice, from which a bishop or rook could do so.
        slider_on_queen: 1,
    }
}

/// Counts the threats of one side.
pub(crate) fn threats<T: TermSink>(us: &Perspective, them: &Attacks, sink: &mut T) {
    let pieces = us.enemy_all - us.enemy[PieceKind::Pawn];
    let strongly_protected = them.by[PieceKind::Pawn] | (them.twice - us.attacks.twice);
    let defended = pieces & strongly_protected;
    let weak = us.enemy_all & (us.attacks.all - strongly_protected);

    let minor = us.attacks.by[PieceKind::Knight] | us.attacks.by[PieceKind::Bishop];
    add_targets(us, (weak | defended) & minor, THREATS.by_minor, sink);
    let by_rook = (weak | us.enemy[PieceKind::Queen]) & us.attacks.by[PieceKind::Rook];
    add_targets(us, by_rook, THREATS.by_rook, sink);
    sink.add(THREATS.by_king, i32::from((weak & us.attacks.by[PieceKind::King]).any()));
    let hanging = weak & (!them.all | (pieces & us.attacks.twice));
    sink.add(THREATS.hanging, hanging.len() as i32);
    let restricted = them.all & (us.attacks.all - strongly_protected);
    sink.add(THREATS.restricted, restricted.len() as i32);
    pawn_threats(us, them, pieces, sink);
    if us.enemy[PieceKind::Queen].any() {
        queen_threats(us, strongly_protected, sink);
    }
}

/// Counts the enemy pieces among `targets` by kind, the king aside.
#[inline]
fn add_targets<T: TermSink>(us: &Perspective, targets: Bitboard, row: Row<5>, sink: &mut T) {
    if targets.any() {
        for (index, enemy) in us.enemy.0.into_iter().take(5).enumerate() {
            sink.add(row.at(index), (targets & enemy).len() as i32);
        }
    }
}

fn pawn_threats<T: TermSink>(us: &Perspective, them: &Attacks, pieces: Bitboard, sink: &mut T) {
    // A pawn is safe where the enemy does not attack, or we defend.
    let safe = !them.all | us.attacks.all;
    let pawns = us.own[PieceKind::Pawn];
    let attacked = beside(pawns & safe).north();
    if (attacked & pieces).any() {
        for (index, enemy) in us.enemy.0.into_iter().skip(1).take(4).enumerate() {
            sink.add(THREATS.by_pawn.at(index), (attacked & enemy).len() as i32);
        }
    }
    let single = pawns.north() - us.occupied;
    let double = (single & Rank::Third.bitboard()).north() - us.occupied;
    let pushes = (single | double) & (safe - them.by[PieceKind::Pawn]);
    let newly = beside(pushes).north() & (pieces - attacked);
    sink.add(THREATS.by_push, newly.len() as i32);
}

fn queen_threats<T: TermSink>(us: &Perspective, strongly_protected: Bitboard, sink: &mut T) {
    let queen = us.enemy[PieceKind::Queen].lowest();
    let safe = us.mobility_area - strongly_protected - us.own[PieceKind::Pawn];
    let knight = us.attacks.by[PieceKind::Knight] & knight_attacks(queen) & safe;
    sink.add(THREATS.knight_on_queen, knight.len() as i32);
    let bishop = us.attacks.by[PieceKind::Bishop] & bishop_attacks(queen, us.occupied);
    let rook = us.attacks.by[PieceKind::Rook] & rook_attacks(queen, us.occupied);
    let slider = (bishop | rook) & safe & us.attacks.twice;
    sink.add(THREATS.slider_on_queen, slider.len() as i32);
}
