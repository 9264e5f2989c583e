//! Which squares a piece could capture on, and under which conditions.

use std::collections::BTreeMap;

use super::canonical::Canonical;
use super::trie::{Leaf, write};
use crate::board::{Square, SquareSet};
use crate::game::Attack;
use crate::instance::Act;
use crate::program::{Op, OpKind};
use crate::requirement::{Test, TestKind};

/// The captures of a piece from a square, by target.
pub(super) type Captures = BTreeMap<Square, Vec<Vec<Test>>>;

/// Sorts the moves by the squares that they take a piece from.
pub(super) fn captures(moves: &[Canonical], from: Square, groups: &[Vec<Test>]) -> Captures {
    let mut captures = Captures::new();
    // What gates a piece attacks nothing that the move without it does not.
    let gates =
        |canonical: &&Canonical| canonical.acts.iter().any(|act| matches!(act, Act::Gate(..)));
    for canonical in moves.iter().filter(|canonical| !gates(canonical)) {
        for target in targets(canonical).iter().filter(|&target| target != from) {
            if let Some(tests) = with_opponent(&canonical.tests, target, groups) {
                captures.entry(target).or_default().push(tests);
            }
        }
    }
    for ways in captures.values_mut() {
        ways.sort_unstable();
        ways.dedup();
        // A way without tests is open whatever else is.
        if ways.first().is_some_and(Vec::is_empty) {
            ways.truncate(1);
        }
    }
    captures
}

/// The squares whose pieces a move replaces: its target, and those of effects that no effect before
/// them has moved away.
fn targets(canonical: &Canonical) -> SquareSet {
    let (mut targets, mut left) = (SquareSet::EMPTY, SquareSet::EMPTY);
    targets.insert(canonical.to);
    for act in &canonical.acts {
        let replaced = match *act {
            Act::Put(_, square) => square,
            Act::Shift(source, square) if source != square => {
                left.insert(source);
                square
            }
            _ => continue,
        };
        if !left.has(replaced) {
            targets.insert(replaced);
        }
    }
    targets
}

/// The tests that remain when a piece of the opponent stands on the target; `None` if one of
/// them can not hold.
fn with_opponent(tests: &[Test], target: Square, groups: &[Vec<Test>]) -> Option<Vec<Test>> {
    let mut rest = Vec::new();
    for &test in tests {
        match with_opponent_there(test, target, groups) {
            Some(true) => {}
            Some(false) => return None,
            None => {
                if rest.is_empty() {
                    rest.reserve_exact(tests.len());
                }
                rest.push(test);
            }
        }
    }
    Some(rest)
}

/// Whether a test holds when a piece of the opponent stands on the target, if that decides it.
fn with_opponent_there(test: Test, target: Square, groups: &[Vec<Test>]) -> Option<bool> {
    use TestKind::{Any, Empty, Friend, NotFriend, Occupied, Opponent};
    match test.kind {
        Any => {
            let decided = |test: &Test| with_opponent_there(*test, target, groups);
            let group = &groups[usize::from(test.argument)];
            if group.iter().any(|test| decided(test) == Some(true)) {
                return Some(true);
            }
            group.iter().all(|test| decided(test) == Some(false)).then_some(false)
        }
        _ if test.square != target => None,
        NotFriend | Opponent | Occupied => Some(true),
        Empty | Friend => Some(false),
        _ => None,
    }
}

/// Writes the program of the ways to capture on one square.
pub(super) fn attack(
    target: Square,
    ways: &[Vec<Test>],
    groups: &[Vec<Test>],
    transient: u8,
    ops: &mut Vec<Op>,
) -> Attack {
    let mut watched = SquareSet::EMPTY;
    let mut volatile = false;
    let mut look = |test: &Test| {
        watched.insert(test.square);
        volatile |= match test.kind {
            TestKind::Attacked | TestKind::Unattacked => true,
            TestKind::Flag | TestKind::NoFlag => test.argument & u16::from(transient) != 0,
            _ => false,
        };
    };
    for test in ways.iter().flatten() {
        match test.kind {
            TestKind::Any => groups[usize::from(test.argument)].iter().for_each(&mut look),
            _ => look(test),
        }
    }
    let leaf = |tests| Leaf { tests, kind: OpKind::Emit, to: target, index: 0 };
    let leaves: Vec<Leaf<'_>> = ways.iter().map(|tests| leaf(tests.as_slice())).collect();
    let plain = match leaves.as_slice() {
        [only] => only.tests.iter().all(|test| test.kind == TestKind::Empty),
        _ => false,
    };
    let start = ops.len() as u32;
    write(&leaves, 0, ops);
    Attack { watched, plain, start, end: ops.len() as u32, volatile }
}
