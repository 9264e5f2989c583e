//! The initial weights, by hand: where the first fit started, from plain formulas and
//! reasoning.
//!
//! Nothing here was copied from another engine's tables. The formulas say what a club
//! player knows (knights belong in the center, kings hide until the endgame, a passed
//! pawn gains with every step) in round numbers on a scale of 100 a pawn.

use core::ops::Range;
use std::collections::HashMap;

use tamarin_eval::tuning::{COUNT, Pair, rows};
use tamarin_movegen::PieceKind;

struct Initial {
    weights: Vec<Pair>,
    /// Where each row lies, by its name `Family: row`.
    rows: HashMap<String, Range<usize>>,
}

impl Initial {
    /// Sets a row to a formula of the index.
    fn row(&mut self, name: &str, formula: impl Fn(i32) -> (i32, i32)) {
        for (index, weight) in self.weights_of(name).iter_mut().enumerate() {
            let (middlegame, endgame) = formula(index as i32);
            *weight = [middlegame as f32, endgame as f32];
        }
    }

    fn one(&mut self, name: &str, middlegame: i32, endgame: i32) {
        self.list(name, [(middlegame, endgame)]);
    }

    fn list<const N: usize>(&mut self, name: &str, values: [(i32, i32); N]) {
        assert_eq!(self.weights_of(name).len(), N, "invariant: {name} has {N} weights");
        self.row(name, |index| values[index as usize]);
    }

    fn weights_of(&mut self, name: &str) -> &mut [Pair] {
        let range = self.rows.get(name).unwrap_or_else(|| panic!("invariant: {name} is a row"));
        &mut self.weights[range.clone()]
    }
}

pub fn initial_weights() -> Vec<Pair> {
    let mut initial = Initial { weights: vec![[0.0; 2]; COUNT], rows: rows().collect() };
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
    initial.list("Material: value", values);
    initial.one("Material: bishop_pair", 25, 50);
    initial.one("Material: tempo", 20, 15);
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
    // The index counts the regions of the own king, the kinds of pieces and the squares.
    initial.row("Piece squares: own_king", |index| {
        formula(PieceKind::ALL[index as usize / 64 % PieceKind::ALL.len()], index % 64)
    });
}

/// Zero at the average count, `each` for every square, and `trapped` more off for a
/// piece with hardly any.
fn reach(count: i32, average: i32, each: (i32, i32), trapped: i32) -> (i32, i32) {
    let cramped = (2 - count).max(0) * trapped;
    ((count - average) * each.0 - cramped, (count - average) * each.1 - cramped)
}

fn mobility(initial: &mut Initial) {
    initial.row("Mobility: knight", |count| reach(count, 4, (7, 7), 12));
    initial.row("Mobility: bishop", |count| reach(count, 6, (6, 7), 10));
    initial.row("Mobility: rook", |count| reach(count, 7, (3, 7), 8));
    initial.row("Mobility: queen", |count| reach(count, 13, (2, 5), 5));
}

fn pawns(initial: &mut Initial) {
    initial.row("Pawns: isolated", |edge| (-6 - 2 * edge, -10));
    initial.one("Pawns: isolated_unopposed", -8, -8);
    initial.one("Pawns: doubled", -6, -14);
    initial.one("Pawns: doubled_unsupported", -4, -10);
    initial.one("Pawns: backward", -6, -8);
    initial.one("Pawns: backward_unopposed", -8, -8);
    initial.row("Pawns: phalanx", |rank| (2 + rank * rank, rank * rank));
    initial.row("Pawns: supported", |rank| (4 + 2 * rank, 2 * rank));
    initial.row("Pawns: candidate", |rank| (2 * rank, 4 * rank));
    initial.row("Passed pawns: rank", |rank| (2 * rank * rank, 10 + 4 * rank * rank));
    let pull = |rank: i32| (rank - 2).max(0);
    initial.row("Passed pawns: own_king", |rank| (0, -4 * pull(rank)));
    initial.row("Passed pawns: enemy_king", |rank| (0, 6 * pull(rank)));
    initial.row("Passed pawns: blocked", |rank| (-2 * rank, -4 * rank));
    initial.row("Passed pawns: safe_stop", |rank| (rank, 3 * rank));
    initial.row("Passed pawns: safe_path", |rank| (2 * pull(rank), 10 * pull(rank)));
    initial.row("Passed pawns: defended_stop", |rank| (pull(rank), 3 * pull(rank)));
    initial.one("Passed pawns: rook_behind", 5, 15);
    initial.one("Passed pawns: enemy_rook_behind", -10, -20);
    initial.one("Passed pawns: unstoppable", 0, 400);
}

fn pieces(initial: &mut Initial) {
    initial.one("Pieces: knight_outpost", 25, 15);
    initial.one("Pieces: bishop_outpost", 15, 8);
    initial.one("Pieces: knight_to_outpost", 10, 5);
    initial.one("Pieces: minor_behind_pawn", 8, 2);
    initial.one("Pieces: bishop_pawns", -2, -4);
    initial.one("Pieces: bishop_blocked_pawns", -2, -3);
    initial.one("Pieces: long_diagonal", 12, 4);
    initial.one("Pieces: rook_open", 28, 10);
    initial.one("Pieces: rook_half_open", 12, 8);
    initial.one("Pieces: rook_on_queen_file", 5, 5);
    initial.one("Pieces: rook_trapped", -35, -8);
    initial.one("Space: squares", 1, 0);
}

fn king(initial: &mut Initial) {
    // Best one rank before the king, worse with each step, worst when gone.
    initial.row("King shelter: shelter", |index| match index % 8 {
        0 => (-18, 0),
        rank => (24 - 8 * rank, 0),
    });
    initial.row("King shelter: storm", |index| match index % 8 {
        0 => (0, 0),
        rank => (-32 + 7 * rank.max(2), 0),
    });
    initial.row("King shelter: blocked_storm", |rank| (-10 + 2 * rank, -6));
    initial.one("King shelter: castling", 18, 0);

    initial.one("King danger: base", -60, -40);
    initial.list("King danger: attacker", [(75, 20), (60, 20), (65, 20), (60, 30)]);
    initial.one("King danger: ring_attacks", 25, 5);
    initial.one("King danger: weak_squares", 80, 20);
    initial.list("King danger: safe_check", [(320, 80), (220, 60), (360, 80), (280, 80)]);
    initial.one("King danger: unsafe_check", 45, 10);
    initial.one("King danger: pinned", 35, 10);
    initial.one("King danger: no_queen", -400, -80);
    initial.one("King danger: knight_defender", -60, -10);
    initial.one("King danger: open_files", 40, 0);
    initial.one("King danger: flank_attack", 6, 0);
    initial.one("King danger: flank_double_attack", 10, 0);
    initial.one("King danger: flank_defense", -6, 0);
}

fn threats(initial: &mut Initial) {
    initial.list("Threats: by_minor", [(4, 10), (20, 15), (20, 18), (40, 30), (35, 40)]);
    initial.list("Threats: by_rook", [(2, 10), (18, 22), (20, 20), (5, 10), (35, 25)]);
    initial.list("Threats: by_pawn", [(55, 30), (55, 35), (75, 30), (65, 30)]);
    initial.one("Threats: by_king", 10, 30);
    initial.one("Threats: hanging", 20, 12);
    initial.one("Threats: by_push", 15, 12);
    initial.one("Threats: restricted", 2, 2);
    initial.one("Threats: knight_on_queen", 6, 4);
    initial.one("Threats: slider_on_queen", 20, 8);
}
