//! What follows from the moves: random numbers, castlings, en passant, moves without return.

use std::collections::BTreeSet;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::canonical::Canonical;
use crate::board::{Code, Color, Square, SquareSet};
use crate::game::{Bearer, Castling, EnPassant, SQUARES, Witness};
use crate::instance::Act;
use crate::requirement::{Test, TestKind};

/// The flag `unmoved` is always the first.
pub(crate) const UNMOVED_BIT: u16 = 1;

/// Random numbers for `codes` codes and `flags` flags, and one for Black to move.
pub(super) fn keys(codes: usize, flags: usize) -> (Vec<u64>, Vec<u64>, u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0x7461_6d61_7269_6e00);
    let mut many = |count: usize| (0..count).map(|_| random.next_u64()).collect();
    let (pieces, flags): (Vec<u64>, Vec<u64>) = (many(codes * SQUARES), many(flags * SQUARES));
    (pieces, flags, random.next_u64())
}

/// Random numbers for both sides and 0 to 255 checks given; 0 for none.
pub(super) fn check_keys() -> Vec<u64> {
    counted_keys(0x6368_6563_6b73_0000, 1)
}

/// Random numbers for `kinds` kinds in hand of both sides and 0 to 255 pieces; nothing for none.
pub(super) fn hand_keys(kinds: usize) -> Vec<u64> {
    counted_keys(0x6861_6e64_6861_6e64, kinds)
}

/// Random numbers for `kinds` kinds of something of which both sides have 0 to 255.
fn counted_keys(seed: u64, kinds: usize) -> Vec<u64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let key = |index: usize| if index.is_multiple_of(SQUARES) { 0 } else { random.next_u64() };
    (0..kinds * 2 * SQUARES).map(key).collect()
}

/// For a piece of a side, by square: where it can get to in any number of moves and of shifts by
/// other pieces, whatever is in its way.
pub(super) fn reach(
    moves: &[Vec<Canonical>],
    shifts: &BTreeSet<(Square, Square)>,
) -> Vec<SquareSet> {
    let mut reach: Vec<SquareSet> =
        moves.iter().map(|from| from.iter().map(|canonical| canonical.to).collect()).collect();
    for &(from, to) in shifts {
        reach[usize::from(from)].insert(to);
    }
    // Warshall's algorithm on rows of bits.
    for middle in 0..reach.len() {
        let further = reach[middle];
        for row in &mut reach {
            if row.has(middle as Square) {
                *row = row.or(further);
            }
        }
    }
    reach
}

/// The castlings of a piece that stands on its square of the start position: a move that wants it
/// and another piece unmoved and takes that piece along.
pub(super) fn castlings(
    color: Color,
    king: Square,
    moves: &[Canonical],
    start: &[Code],
) -> Vec<Castling> {
    let unmoved = |canonical: &Canonical, square: Square| {
        let test = Test { kind: TestKind::Flag, square, argument: UNMOVED_BIT };
        canonical.tests.contains(&test)
    };
    let mut found = Vec::new();
    for canonical in moves.iter().filter(|canonical| unmoved(canonical, king)) {
        for act in &canonical.acts {
            let Act::Shift(partner, to) = *act else { continue };
            let castling = Castling { color, king, partner };
            let at_home = start[usize::from(partner)].color() == Some(color);
            let known = found.contains(&castling);
            if partner != to && at_home && unmoved(canonical, partner) && !known {
                found.push(castling);
            }
        }
    }
    found
}

/// The moves that remove a piece for a flag that goes away.
pub(super) fn en_passant(
    color: Color,
    canonical: &Canonical,
    transient: u8,
) -> impl Iterator<Item = EnPassant> {
    let flags = canonical.tests.iter().filter(move |test| {
        test.kind == TestKind::Flag && test.argument & u16::from(transient) != 0
    });
    flags.filter_map(move |test| {
        let removed = canonical.acts.contains(&Act::Put(None, test.square));
        let flag = test.argument as u8;
        removed.then_some(EnPassant { color, target: canonical.to, victim: test.square, flag })
    })
}

/// The pieces to which a move gives flags that go away: the one that moves, unless another appears
/// there, or what stands on another square.
pub(super) fn bearers(
    code: Code,
    canonical: &Canonical,
    transient: u8,
) -> impl Iterator<Item = Bearer> {
    let &Canonical { to, ref acts, .. } = canonical;
    let replaced = acts.iter().any(|act| match *act {
        Act::Put(_, square) => square == to,
        Act::Shift(from, square) => from == to || square == to,
        _ => false,
    });
    acts.iter().filter_map(move |act| match *act {
        Act::Set(square, flag) if flag & transient != 0 => {
            let code = (square == to && !replaced).then_some(code.0);
            Some(Bearer { flag, square, code })
        }
        _ => None,
    })
}

/// The squares where a move looks at flags that go away, with the number of the flag.
pub(super) fn witnessed(
    canonical: &Canonical,
    groups: &[Vec<Test>],
    transient: u8,
) -> Vec<(usize, Square)> {
    let mut seen = Vec::new();
    let mut look = |test: &Test| {
        let flag = matches!(test.kind, TestKind::Flag | TestKind::NoFlag);
        if flag && test.argument & u16::from(transient) != 0 {
            seen.push((test.argument.trailing_zeros() as usize, test.square));
        }
    };
    for test in &canonical.tests {
        match test.kind {
            TestKind::Any => groups[usize::from(test.argument)].iter().for_each(&mut look),
            _ => look(test),
        }
    }
    seen
}

/// A piece on a square, or one in hand, as a witness.
pub(super) fn witness(code: Code, from: Square) -> Witness {
    Witness { code: code.0, from }
}
