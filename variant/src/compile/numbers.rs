//! Which moves of a piece from a square are one move.

use super::canonical::Canonical;
use crate::board::{Square, SquareSet};
use crate::game::SQUARES;

/// Moves with the same target and effects are one move: they share a number, 0 without effects.
pub(super) struct Numbers {
    /// The targets without effects.
    pub(super) plain: SquareSet,
    /// By number less one: index of the first move that has it.
    pub(super) effects: Vec<usize>,
    /// The numbers of all moves.
    numbers: Vec<u16>,
    /// By target: on how many ways it is reached without effects.
    plain_ways: [u32; SQUARES],
    /// By number less one: how many moves have it.
    effect_ways: Vec<u32>,
}

impl Numbers {
    pub(super) fn new(from: Square, moves: &[Canonical]) -> Self {
        let mut all = Self {
            plain: SquareSet::EMPTY,
            effects: Vec::new(),
            numbers: Vec::with_capacity(moves.len()),
            plain_ways: [0; SQUARES],
            effect_ways: Vec::new(),
        };
        let firsts = firsts(from, moves);
        for (i, canonical) in moves.iter().enumerate() {
            if canonical.is_plain(from) {
                all.plain.insert(canonical.to);
                all.plain_ways[usize::from(canonical.to)] += 1;
                all.numbers.push(0);
                continue;
            }
            if firsts[i] == i {
                all.effects.push(i);
                all.effect_ways.push(0);
            }
            let number = match firsts[i] {
                first if first == i => all.effects.len() as u16,
                first => all.numbers[first],
            };
            all.effect_ways[usize::from(number) - 1] += 1;
            all.numbers.push(number);
        }
        all
    }

    /// The number of a move by its index, and on how many ways it can be found.
    pub(super) fn of(&self, index: usize, canonical: &Canonical) -> (u16, u32) {
        match self.numbers[index] {
            0 => (0, self.plain_ways[usize::from(canonical.to)]),
            number => (number, self.effect_ways[usize::from(number) - 1]),
        }
    }
}

/// For each move with effects: the index of the first one that is the same move.
fn firsts(from: Square, moves: &[Canonical]) -> Vec<usize> {
    let mut effects: Vec<usize> = (0..moves.len()).filter(|&i| !moves[i].is_plain(from)).collect();
    let identity = |i: usize| (moves[i].to, &moves[i].acts);
    effects.sort_unstable_by(|&a, &b| identity(a).cmp(&identity(b)).then(a.cmp(&b)));
    let mut firsts: Vec<usize> = (0..moves.len()).collect();
    for pair in effects.windows(2) {
        if identity(pair[0]) == identity(pair[1]) {
            firsts[pair[1]] = firsts[pair[0]];
        }
    }
    firsts
}
