//! Conditions in a form in which equal ones look equal.

use std::collections::HashMap;

use crate::board::Square;
use crate::instance::{Act, Instance};
use crate::requirement::{Requirement, Test, TestKind};

/// A move whose conditions are single tests, in the order in which they are made.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Canonical {
    pub(super) tests: Vec<Test>,
    pub(super) to: Square,
    pub(super) acts: Vec<Act>,
}

impl Canonical {
    /// Returns `true` if nothing happens but that the piece moves and captures.
    pub(super) fn is_plain(&self, from: Square) -> bool {
        self.acts.is_empty() && self.to != from
    }
}

/// Groups of alternative tests, each stored once.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) all: Vec<Vec<Test>>,
    known: HashMap<Vec<Test>, u16>,
}

impl Groups {
    /// The test that one of these holds; `None` if there are too many groups.
    fn any(&mut self, tests: &[Test]) -> Option<Test> {
        let argument = match self.known.get(tests) {
            Some(&number) => number,
            None => {
                let number = u16::try_from(self.all.len()).ok()?;
                self.known.insert(tests.to_vec(), number);
                self.all.push(tests.to_vec());
                number
            }
        };
        Some(Test { kind: TestKind::Any, square: tests[0].square, argument })
    }
}

/// A condition as one test.
fn single(tests: &[Test], groups: &mut Groups) -> Option<Test> {
    use TestKind::{Empty, Friend, NotFriend, Occupied, Opponent};
    match tests {
        [test] => Some(*test),
        [a, b] if a.square == b.square => match (a.kind, b.kind) {
            (Empty, Opponent) => Some(Test { kind: NotFriend, ..*a }),
            (Opponent, Friend) => Some(Test { kind: Occupied, ..*a }),
            _ => groups.any(tests),
        },
        _ => groups.any(tests),
    }
}

/// Whether a condition of the target says that a friend may stand there.
fn welcomes_friend(instance: &Instance) -> bool {
    instance.conditions.iter().flat_map(Requirement::tests).any(|test| {
        test.square == instance.to && matches!(test.kind, TestKind::Friend | TestKind::Occupied)
    })
}

/// The move of an instance; `None` if there are too many groups of tests.
pub(super) fn canonical(
    instance: Instance,
    from: Square,
    groups: &mut Groups,
) -> Option<Canonical> {
    let mut tests = Vec::with_capacity(instance.conditions.len() + 1);
    for condition in &instance.conditions {
        tests.push(single(condition.tests(), groups)?);
    }
    let excludes_friend = tests.iter().any(|test| {
        test.square == instance.to
            && matches!(test.kind, TestKind::Empty | TestKind::Opponent | TestKind::NotFriend)
    });
    if instance.to != from && !excludes_friend && !welcomes_friend(&instance) {
        tests.push(Test { kind: TestKind::NotFriend, square: instance.to, argument: 0 });
    }
    Some(Canonical { tests, to: instance.to, acts: instance.acts })
}

/// Puts the tests of all drops of a piece into an order in which those that many drops have come
/// first, and drops what is there twice.
pub(super) fn order_drops(moves: Vec<Canonical>, columns: u8) -> Vec<Canonical> {
    ordered(moves, 0, columns, Order::Frequency)
}

/// Orders in which tests are tried.
#[derive(Clone, Copy)]
enum Order {
    /// Squares near the piece first: they decide about the most moves of riders and hoppers.
    Distance,
    /// Tests that more moves have first, as in a frequent-pattern tree (Han, Pei and Yin 2000).
    Frequency,
}

/// Puts the tests of all moves from a square into the order with the shorter program, and drops
/// moves that are there twice. Attacks cost most and come last in any order.
pub(super) fn order(moves: Vec<Canonical>, from: Square, columns: u8) -> Vec<Canonical> {
    let near = ordered(moves, from, columns, Order::Distance);
    let steps = length(&near);
    // No program is shorter than one that makes every test at one place only.
    if steps == count_tests(&near) {
        return near;
    }
    let frequent = ordered(near.clone(), from, columns, Order::Frequency);
    if length(&frequent) < steps { frequent } else { near }
}

/// How many different tests these moves have.
fn count_tests(moves: &[Canonical]) -> usize {
    let mut tests: Vec<u32> =
        moves.iter().flat_map(|canonical| &canonical.tests).map(|test| test.number()).collect();
    tests.sort_unstable();
    tests.dedup();
    tests.len()
}

/// How many tests the program of these moves has: those that a move does not share with the one
/// before it.
fn length(moves: &[Canonical]) -> usize {
    let mut before: &[Test] = &[];
    let mut sum = 0;
    for canonical in moves {
        let shared = canonical.tests.iter().zip(before).take_while(|(a, b)| a == b).count();
        sum += canonical.tests.len() - shared;
        before = &canonical.tests;
    }
    sum
}

fn ordered(mut moves: Vec<Canonical>, from: Square, columns: u8, order: Order) -> Vec<Canonical> {
    const KINDS: usize = 16;
    const MAX_COUNT: u32 = (1 << 23) - 1;
    let place = |test: &Test| usize::from(test.square) * KINDS + test.kind as usize;
    let mut counts = vec![0; 256 * KINDS];
    if let Order::Frequency = order {
        for test in moves.iter().flat_map(|canonical| &canonical.tests) {
            counts[place(test)] += 1;
        }
    }
    let distance = |square: Square| {
        let rows = (square / columns).abs_diff(from / columns);
        rows.max((square % columns).abs_diff(from % columns))
    };
    for canonical in &mut moves {
        canonical.tests.sort_unstable_by_key(|test| {
            let costly = matches!(test.kind, TestKind::Attacked | TestKind::Unattacked);
            let rare = u64::from(MAX_COUNT - counts[place(test)].min(MAX_COUNT));
            let distance = u64::from(distance(test.square));
            u64::from(costly) << 63 | rare << 40 | distance << 32 | u64::from(test.number())
        });
        canonical.tests.dedup();
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}
