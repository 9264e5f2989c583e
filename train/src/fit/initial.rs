//! The initial weights, by hand: where the first fit started, from plain formulas and
//! reasoning.
//!
//! Nothing here was copied from another engine's tables. The formulas say what a club
//! player knows (knights belong in the center, kings hide until the endgame, a passed
//! pawn gains with every step) in round numbers on a scale of 100 a pawn.

use tamarin_movegen::PieceKind;

use super::Pair;
use crate::perspective::KingArea;
use crate::rows::Row;
use crate::terms::{
    king_danger::KING_DANGER,
    king_shelter::KING_SHELTER,
    material::MATERIAL,
    mobility::MOBILITY,
    passed::PASSED,
    pawns::PAWNS,
    pieces::PIECES,
    psqt::{PSQT, TABLE},
    space::SPACE,
    threats::THREATS,
};
use crate::weights::{COUNT, position};

struct Initial {
    weights: Vec<Pair>,
}

impl Initial {
    /// Sets a row to a formula of the index.
    fn row<const N: usize>(&mut self, row: &Row<N>, formula: impl Fn(i32) -> (i32, i32)) {
        for index in 0..N {
            let (middlegame, endgame) = formula(index as i32);
            self.weights[position(row.at(index))] = [middlegame as f32, endgame as f32];
        }
    }

    /// Sets a single weight.
    fn one(&mut self, single: &Row<1>, middlegame: i32, endgame: i32) {
        self.row(single, |_| (middlegame, endgame));
    }

    /// Sets a row to a list.
    fn list<const N: usize>(&mut self, row: &Row<N>, values: [(i32, i32); N]) {
        self.row(row, |index| values[index as usize]);
    }
}

/// The weights made by hand.
#[must_use]
pub fn initial_weights() -> Vec<Pair> {
    let mut initial = Initial { weights: vec![[0.0; 2]; COUNT] };
    material(&mut initial);
    squares(&mut initial);
    mobility(&mut initial);
    pawns(&mut initial);
    pieces(&mut initial);
    king(&mut initial);
    threats(&mut initial);
    initial.weights
}

fn material(initial: &mut Initial) {
    let values = [(85, 105), (330, 320), (345, 340), (470, 540), (980, 1000)];
    initial.list(&MATERIAL.value, values);
    initial.one(&MATERIAL.bishop_pair, 25, 50);
    initial.one(&MATERIAL.tempo, 20, 15);
}

/// 0 at the edge to 3 in the center.
fn ring(square: i32) -> i32 {
    let inner = |line: i32| 3 - (2 * line - 7).abs() / 2;
    inner(square % 8).min(inner(square / 8))
}

fn squares(initial: &mut Initial) {
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
            for region in 0..KingArea::REGIONS {
                let index = region * TABLE + kind.index() * 64 + square as usize;
                let weight = PSQT.own_king.at(index);
                initial.weights[position(weight)] = [middlegame as f32, endgame as f32];
            }
        }
    }
}

/// Zero at the average count, `each` for every square, and `trapped` more off for a
/// piece with hardly any.
fn reach(count: i32, average: i32, each: (i32, i32), trapped: i32) -> (i32, i32) {
    let cramped = (2 - count).max(0) * trapped;
    ((count - average) * each.0 - cramped, (count - average) * each.1 - cramped)
}

fn mobility(initial: &mut Initial) {
    initial.row(&MOBILITY.knight, |count| reach(count, 4, (7, 7), 12));
    initial.row(&MOBILITY.bishop, |count| reach(count, 6, (6, 7), 10));
    initial.row(&MOBILITY.rook, |count| reach(count, 7, (3, 7), 8));
    initial.row(&MOBILITY.queen, |count| reach(count, 13, (2, 5), 5));
}

fn pawns(initial: &mut Initial) {
    initial.row(&PAWNS.isolated, |edge| (-6 - 2 * edge, -10));
    initial.one(&PAWNS.isolated_unopposed, -8, -8);
    initial.one(&PAWNS.doubled, -6, -14);
    initial.one(&PAWNS.doubled_unsupported, -4, -10);
    initial.one(&PAWNS.backward, -6, -8);
    initial.one(&PAWNS.backward_unopposed, -8, -8);
    initial.row(&PAWNS.phalanx, |rank| (2 + rank * rank, rank * rank));
    initial.row(&PAWNS.supported, |rank| (4 + 2 * rank, 2 * rank));
    initial.row(&PAWNS.candidate, |rank| (2 * rank, 4 * rank));
    initial.row(&PASSED.rank, |rank| (2 * rank * rank, 10 + 4 * rank * rank));
    let pull = |rank: i32| (rank - 2).max(0);
    initial.row(&PASSED.own_king, |rank| (0, -4 * pull(rank)));
    initial.row(&PASSED.enemy_king, |rank| (0, 6 * pull(rank)));
    initial.row(&PASSED.blocked, |rank| (-2 * rank, -4 * rank));
    initial.row(&PASSED.safe_stop, |rank| (rank, 3 * rank));
    initial.row(&PASSED.safe_path, |rank| (2 * pull(rank), 10 * pull(rank)));
    initial.row(&PASSED.defended_stop, |rank| (pull(rank), 3 * pull(rank)));
    initial.one(&PASSED.rook_behind, 5, 15);
    initial.one(&PASSED.enemy_rook_behind, -10, -20);
    initial.one(&PASSED.unstoppable, 0, 400);
}

fn pieces(initial: &mut Initial) {
    initial.one(&PIECES.knight_outpost, 25, 15);
    initial.one(&PIECES.bishop_outpost, 15, 8);
    initial.one(&PIECES.knight_to_outpost, 10, 5);
    initial.one(&PIECES.minor_behind_pawn, 8, 2);
    initial.one(&PIECES.bishop_pawns, -2, -4);
    initial.one(&PIECES.bishop_blocked_pawns, -2, -3);
    initial.one(&PIECES.long_diagonal, 12, 4);
    initial.one(&PIECES.rook_open, 28, 10);
    initial.one(&PIECES.rook_half_open, 12, 8);
    initial.one(&PIECES.rook_on_queen_file, 5, 5);
    initial.one(&PIECES.rook_trapped, -35, -8);
    initial.one(&SPACE.squares, 1, 0);
}

fn king(initial: &mut Initial) {
    // Best one rank before the king, worse with each step, worst when gone.
    initial.row(&KING_SHELTER.shelter, |index| match index % 8 {
        0 => (-18, 0),
        rank => (24 - 8 * rank, 0),
    });
    initial.row(&KING_SHELTER.storm, |index| match index % 8 {
        0 => (0, 0),
        rank => (-32 + 7 * rank.max(2), 0),
    });
    initial.row(&KING_SHELTER.blocked_storm, |rank| (-10 + 2 * rank, -6));
    initial.one(&KING_SHELTER.castling, 18, 0);

    initial.one(&KING_DANGER.base, -60, -40);
    initial.list(&KING_DANGER.attacker, [(75, 20), (60, 20), (65, 20), (60, 30)]);
    initial.one(&KING_DANGER.ring_attacks, 25, 5);
    initial.one(&KING_DANGER.weak_squares, 80, 20);
    initial.list(&KING_DANGER.safe_check, [(320, 80), (220, 60), (360, 80), (280, 80)]);
    initial.one(&KING_DANGER.unsafe_check, 45, 10);
    initial.one(&KING_DANGER.pinned, 35, 10);
    initial.one(&KING_DANGER.no_queen, -400, -80);
    initial.one(&KING_DANGER.knight_defender, -60, -10);
    initial.one(&KING_DANGER.open_files, 40, 0);
    initial.one(&KING_DANGER.flank_attack, 6, 0);
    initial.one(&KING_DANGER.flank_double_attack, 10, 0);
    initial.one(&KING_DANGER.flank_defense, -6, 0);
}

fn threats(initial: &mut Initial) {
    initial.list(&THREATS.by_minor, [(4, 10), (20, 15), (20, 18), (40, 30), (35, 40)]);
    initial.list(&THREATS.by_rook, [(2, 10), (18, 22), (20, 20), (5, 10), (35, 25)]);
    initial.list(&THREATS.by_pawn, [(55, 30), (55, 35), (75, 30), (65, 30)]);
    initial.one(&THREATS.by_king, 10, 30);
    initial.one(&THREATS.hanging, 20, 12);
    initial.one(&THREATS.by_push, 15, 12);
    initial.one(&THREATS.restricted, 2, 2);
    initial.one(&THREATS.knight_on_queen, 6, 4);
    initial.one(&THREATS.slider_on_queen, 20, 8);
}
