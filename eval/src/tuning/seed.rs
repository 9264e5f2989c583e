//! Weights by hand: where the first fit started, from plain formulas and reasoning.
//!
//! Nothing here was copied from another engine's tables. The formulas say what a club
//! player knows (knights belong in the center, kings hide until the endgame, a passed
//! pawn gains with every step) in round numbers on a scale of 100 a pawn.

use tamarin_movegen::PieceKind;

use super::Pair;
use crate::terms::{
    danger::DANGER, king::KING, material::MATERIAL, mobility::MOBILITY, passed::PASSED,
    pawns::PAWNS, pieces::PIECES, psqt::PSQT, space::SPACE, threats::THREATS,
};
use crate::weights::{COUNT, Slots};

struct Seed {
    weights: Vec<Pair>,
}

impl Seed {
    /// Sets a row to a formula of the index.
    fn row<const N: usize>(&mut self, row: &Slots<N>, formula: impl Fn(i32) -> (i32, i32)) {
        for index in 0..N {
            let (middlegame, endgame) = formula(index as i32);
            self.weights[row.at(index).index()] = [middlegame as f32, endgame as f32];
        }
    }

    /// Sets a single weight.
    fn one(&mut self, single: &Slots<1>, middlegame: i32, endgame: i32) {
        self.row(single, |_| (middlegame, endgame));
    }

    /// Sets a row to a list.
    fn list<const N: usize>(&mut self, row: &Slots<N>, values: [(i32, i32); N]) {
        self.row(row, |index| values[index as usize]);
    }
}

/// The weights made by hand.
#[must_use]
pub fn seed() -> Vec<Pair> {
    let mut seed = Seed { weights: vec![[0.0; 2]; COUNT] };
    material(&mut seed);
    squares(&mut seed);
    mobility(&mut seed);
    pawns(&mut seed);
    pieces(&mut seed);
    king(&mut seed);
    threats(&mut seed);
    seed.weights
}

fn material(seed: &mut Seed) {
    let values = [(85, 105), (330, 320), (345, 340), (470, 540), (980, 1000)];
    seed.list(&MATERIAL.value, values);
    seed.one(&MATERIAL.bishop_pair, 25, 50);
    seed.one(&MATERIAL.tempo, 20, 15);
}

/// 0 at the edge to 3 in the center.
fn ring(square: i32) -> i32 {
    let inner = |line: i32| 3 - (2 * line - 7).abs() / 2;
    inner(square % 8).min(inner(square / 8))
}

fn squares(seed: &mut Seed) {
    let formula = |kind: PieceKind, square: i32| {
        let (file, rank) = (square % 8, square / 8);
        let middle = 3 - (2 * file - 7).abs() / 2;
        match kind {
            // Forward in the center; the king's own pawns stay at home.
            PieceKind::Pawn if (1..7).contains(&rank) => {
                let steps = rank - 1;
                let push = if file >= 5 { -2 * steps } else { middle * (steps.min(3)) * 2 };
                (push, 4 * steps)
            }
            PieceKind::Pawn => (0, 0),
            PieceKind::Knight => (12 * ring(square) - 24 + 3 * rank, 9 * ring(square) - 15),
            PieceKind::Bishop => (5 * ring(square) - 6, 4 * ring(square) - 6),
            PieceKind::Rook => (3 * middle - 5 + if rank == 6 { 12 } else { 0 }, 2 * rank - 6),
            PieceKind::Queen => (2 * ring(square) - 3 - rank, 6 * ring(square) - 8 + rank),
            // At home and off the center first, in the center later.
            PieceKind::King => {
                (10 - 14 * rank.min(4) - 8 * middle, 16 * ring(square) - 26 + 2 * rank)
            }
        }
    };
    for kind in PieceKind::ALL {
        for square in 0..64 {
            let (middlegame, endgame) = formula(kind, square);
            let slot = PSQT.own_king.at(kind.index() * 64 + square as usize);
            seed.weights[slot.index()] = [middlegame as f32, endgame as f32];
        }
    }
}

/// Zero at the average count, `each` for every square, and `trapped` more off for a
/// piece with hardly any.
fn reach(count: i32, average: i32, each: (i32, i32), trapped: i32) -> (i32, i32) {
    let cramped = (2 - count).max(0) * trapped;
    ((count - average) * each.0 - cramped, (count - average) * each.1 - cramped)
}

fn mobility(seed: &mut Seed) {
    seed.row(&MOBILITY.knight, |count| reach(count, 4, (7, 7), 12));
    seed.row(&MOBILITY.bishop, |count| reach(count, 6, (6, 7), 10));
    seed.row(&MOBILITY.rook, |count| reach(count, 7, (3, 7), 8));
    seed.row(&MOBILITY.queen, |count| reach(count, 13, (2, 5), 5));
}

fn pawns(seed: &mut Seed) {
    seed.row(&PAWNS.isolated, |edge| (-6 - 2 * edge, -10));
    seed.one(&PAWNS.isolated_open, -8, -8);
    seed.one(&PAWNS.doubled, -6, -14);
    seed.one(&PAWNS.doubled_loose, -4, -10);
    seed.one(&PAWNS.backward, -6, -8);
    seed.one(&PAWNS.backward_open, -8, -8);
    seed.row(&PAWNS.phalanx, |rank| (2 + rank * rank, rank * rank));
    seed.row(&PAWNS.supported, |rank| (4 + 2 * rank, 2 * rank));
    seed.row(&PAWNS.candidate, |rank| (2 * rank, 4 * rank));
    seed.row(&PASSED.rank, |rank| (2 * rank * rank, 10 + 4 * rank * rank));
    let pull = |rank: i32| (rank - 2).max(0);
    seed.row(&PASSED.own_king, |rank| (0, -4 * pull(rank)));
    seed.row(&PASSED.enemy_king, |rank| (0, 6 * pull(rank)));
    seed.row(&PASSED.blocked, |rank| (-2 * rank, -4 * rank));
    seed.row(&PASSED.safe_step, |rank| (rank, 3 * rank));
    seed.row(&PASSED.safe_way, |rank| (2 * pull(rank), 10 * pull(rank)));
    seed.row(&PASSED.escorted, |rank| (pull(rank), 3 * pull(rank)));
    seed.one(&PASSED.rook_behind, 5, 15);
    seed.one(&PASSED.enemy_rook_behind, -10, -20);
    seed.one(&PASSED.runner, 0, 400);
}

fn pieces(seed: &mut Seed) {
    seed.one(&PIECES.knight_outpost, 25, 15);
    seed.one(&PIECES.bishop_outpost, 15, 8);
    seed.one(&PIECES.knight_to_outpost, 10, 5);
    seed.one(&PIECES.minor_behind_pawn, 8, 2);
    seed.one(&PIECES.bishop_pawns, -2, -4);
    seed.one(&PIECES.bishop_blocked_pawns, -2, -3);
    seed.one(&PIECES.long_diagonal, 12, 4);
    seed.one(&PIECES.rook_open, 28, 10);
    seed.one(&PIECES.rook_half_open, 12, 8);
    seed.one(&PIECES.rook_on_queen_file, 5, 5);
    seed.one(&PIECES.rook_trapped, -35, -8);
    seed.one(&SPACE.squares, 1, 0);
}

fn king(seed: &mut Seed) {
    // Best one rank before the king, worse with each step, worst when gone.
    seed.row(&KING.shelter, |index| match index % 8 {
        0 => (-18, 0),
        rank => (24 - 8 * rank, 0),
    });
    seed.row(&KING.storm, |index| match index % 8 {
        0 => (0, 0),
        rank => (-32 + 7 * rank.max(2), 0),
    });
    seed.row(&KING.blocked_storm, |rank| (-10 + 2 * rank, -6));
    seed.one(&KING.castling, 18, 0);

    seed.one(&DANGER.base, -60, -40);
    seed.list(&DANGER.attacker, [(75, 20), (60, 20), (65, 20), (60, 30)]);
    seed.one(&DANGER.zone_hits, 25, 5);
    seed.one(&DANGER.weak_squares, 80, 20);
    seed.list(&DANGER.safe_check, [(320, 80), (220, 60), (360, 80), (280, 80)]);
    seed.one(&DANGER.unsafe_check, 45, 10);
    seed.one(&DANGER.pinned, 35, 10);
    seed.one(&DANGER.no_queen, -400, -80);
    seed.one(&DANGER.knight_guard, -60, -10);
    seed.one(&DANGER.open_files, 40, 0);
    seed.one(&DANGER.wing_attack, 6, 0);
    seed.one(&DANGER.wing_double_attack, 10, 0);
    seed.one(&DANGER.wing_defense, -6, 0);
}

fn threats(seed: &mut Seed) {
    seed.list(&THREATS.by_minor, [(4, 10), (20, 15), (20, 18), (40, 30), (35, 40)]);
    seed.list(&THREATS.by_rook, [(2, 10), (18, 22), (20, 20), (5, 10), (35, 25)]);
    seed.list(&THREATS.by_pawn, [(55, 30), (55, 35), (75, 30), (65, 30)]);
    seed.one(&THREATS.by_king, 10, 30);
    seed.one(&THREATS.hanging, 20, 12);
    seed.one(&THREATS.by_push, 15, 12);
    seed.one(&THREATS.restricted, 2, 2);
    seed.one(&THREATS.knight_on_queen, 6, 4);
    seed.one(&THREATS.slider_on_queen, 20, 8);
}
