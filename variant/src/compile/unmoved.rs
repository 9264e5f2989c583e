//! How far positions differ by the flag `unmoved`: a piece's own flag counts where a move asks for
//! it alone, that of two pieces together where a move asks for both, as castling does.

use super::canonical::Canonical;
use super::tables::UNMOVED_BIT;
use crate::board::{Code, Color, Square, SquareSet};
use crate::game::{Game, SQUARES, UnmovedPair};
use crate::instance::Act;
use crate::requirement::{Test, TestKind};

/// Who asks for the flag.
pub(super) struct Unmoved {
    /// By slot: where moves of a piece ask for its own flag and no other.
    own: Vec<SquareSet>,
    /// Where the flag of any piece counts.
    any: SquareSet,
    /// Code and square of a piece whose moves ask for its flag and that of a partner.
    pairs: Vec<(u8, Square, Square)>,
}

impl Unmoved {
    pub(super) fn new(slots: usize) -> Self {
        Self { own: vec![SquareSet::EMPTY; slots], any: SquareSet::EMPTY, pairs: Vec::new() }
    }

    /// Adds the moves of a piece from a square, or its drops.
    pub(super) fn add(
        &mut self,
        code: Code,
        from: Square,
        moves: &[Canonical],
        groups: &[Vec<Test>],
    ) {
        // The squares of gating are [`Game::gates`].
        let gates = |act: &Act| matches!(act, Act::Gate(..));
        for canonical in moves.iter().filter(|canonical| !canonical.acts.iter().any(gates)) {
            // A flag that comes back revives the others.
            let sets = |act: &Act| matches!(act, Act::Set(_, flag) if asks(u16::from(*flag)));
            if canonical.acts.iter().any(sets) {
                self.any = SquareSet::FULL;
            }
            let mut wanted = Vec::new();
            for test in &canonical.tests {
                match test.kind {
                    TestKind::Flag if asks(test.argument) => wanted.push(test.square),
                    TestKind::NoFlag if asks(test.argument) => self.any.insert(test.square),
                    TestKind::Any => self.add_group(&groups[usize::from(test.argument)]),
                    _ => {}
                }
            }
            match wanted[..] {
                [own] if own == from => self.own[code.slot()].insert(own),
                [one, other] if one == from => self.pairs.push((code.0, one, other)),
                [other, one] if one == from => self.pairs.push((code.0, one, other)),
                _ => wanted.iter().for_each(|&square| self.any.insert(square)),
            }
        }
    }

    fn add_group(&mut self, tests: &[Test]) {
        let flags = tests.iter().filter(|test| {
            matches!(test.kind, TestKind::Flag | TestKind::NoFlag) && asks(test.argument)
        });
        flags.for_each(|test| self.any.insert(test.square));
    }

    /// Takes what does not count alone out of the flags of the key, and adds the pairs.
    pub(super) fn finish(mut self, game: &mut Game) {
        self.pairs.sort_unstable();
        self.pairs.dedup();
        for (code, from, partner) in self.pairs {
            let key = |square: Square| game.flag_keys[usize::from(square)];
            let key = key(from).rotate_left(32) ^ key(partner);
            let pair = UnmovedPair { code: Code(code), from, partner, key };
            game.unmoved_pairs[usize::from(from)].push(pair);
            game.unmoved_pairs[usize::from(partner)].push(pair);
        }
        for kind in 0..game.pieces.len() {
            let becomes = &game.pieces[kind].in_hand;
            let in_hand = becomes.iter().any(|&(mask, _)| asks(u16::from(mask)));
            for code in Color::ALL.map(|color| Code::new(color, kind)) {
                let counts = self.any.or(self.own[code.slot()]);
                for square in 0..game.squares() as Square {
                    if !in_hand && !counts.has(square) {
                        let place = usize::from(code.0) * SQUARES + usize::from(square);
                        game.key_flags[place] &= !(UNMOVED_BIT as u8);
                    }
                }
            }
        }
    }
}

fn asks(flags: u16) -> bool {
    flags & UNMOVED_BIT != 0
}
