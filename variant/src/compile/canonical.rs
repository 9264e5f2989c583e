//! Conditions in a form in which equal ones look equal.

use std::collections::HashMap;

use crate::board::Square;
use crate::instance::{Act, Instance, Test, TestKind};

/// A move whose conditions are single tests, in the order in which they are made.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Canonical {
    pub(super) tests: Vec<Test>,
    pub(super) to: Square,
    pub(super) acts: Vec<Act>,
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
    instance.conditions.iter().flatten().any(|test| {
        test.square == instance.to && matches!(test.kind, TestKind::Friend | TestKind::Occupied)
    })
}

/// The move of an instance from a square of a board with so many columns; `None` if there are
/// too many groups of tests.
pub(super) fn canonical(
    instance: Instance,
    from: Square,
    columns: u8,
    groups: &mut Groups,
) -> Option<Canonical> {
    let mut tests = instance
        .conditions
        .iter()
        .map(|condition| single(condition, groups))
        .collect::<Option<Vec<Test>>>()?;
    let excludes_friend = tests.iter().any(|test| {
        test.square == instance.to
            && matches!(test.kind, TestKind::Empty | TestKind::Opponent | TestKind::NotFriend)
    });
    if instance.to != from && !excludes_friend && !welcomes_friend(&instance) {
        tests.push(Test { kind: TestKind::NotFriend, square: instance.to, argument: 0 });
    }
    let distance = |square: Square| {
        let rows = (square / columns).abs_diff(from / columns);
        rows.max((square % columns).abs_diff(from % columns))
    };
    // Attacks cost most and come last; squares near the piece decide about the most moves.
    tests.sort_by_key(|test| {
        let costly = matches!(test.kind, TestKind::Attacked | TestKind::Unattacked);
        (costly, distance(test.square), *test)
    });
    tests.dedup();
    Some(Canonical { tests, to: instance.to, acts: instance.acts })
}
