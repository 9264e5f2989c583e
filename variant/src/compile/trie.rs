//! Decision trees as lines of operations.

use crate::board::Square;
use crate::program::{Op, OpKind};
use crate::requirement::{Test, TestKind};

/// Something to be said when all of its tests hold.
pub(super) struct Leaf<'a> {
    pub(super) tests: &'a [Test],
    pub(super) kind: OpKind,
    /// Target and number of the move.
    pub(super) to: Square,
    pub(super) index: u16,
}

/// Writes the tree of leaves that are sorted so that equal beginnings are neighbors.
pub(super) fn write(leaves: &[Leaf<'_>], depth: usize, ops: &mut Vec<Op>) {
    let mut i = 0;
    while i < leaves.len() {
        let leaf = &leaves[i];
        let Some(&test) = leaf.tests.get(depth) else {
            let (square, argument) = (leaf.to, leaf.index);
            ops.push(Op { kind: leaf.kind, square, argument, skip: 0 });
            i += 1;
            continue;
        };
        let same = |leaf: &Leaf<'_>, test: Test| leaf.tests.get(depth) == Some(&test);
        let end = i + leaves[i..].iter().take_while(|leaf| same(leaf, test)).count();
        let at = ops.len();
        let empty = Test { kind: TestKind::Empty, ..test };
        let alone = end == i + 1 && leaf.tests.len() == depth + 1;
        let goes_there = leaf.kind == OpKind::Emit && leaf.index == 0 && leaf.to == test.square;
        let ride = alone && goes_there && test.kind == TestKind::NotFriend;
        if ride && leaves.get(end).is_some_and(|leaf| same(leaf, empty)) {
            let stop = end + leaves[end..].iter().take_while(|leaf| same(leaf, empty)).count();
            ops.push(Op { kind: OpKind::Ride, square: test.square, argument: 0, skip: 0 });
            write(&leaves[end..stop], depth + 1, ops);
            i = stop;
        } else {
            let Test { kind, square, argument } = test;
            ops.push(Op { kind: OpKind::Test(kind), square, argument, skip: 0 });
            write(&leaves[i..end], depth + 1, ops);
            i = end;
        }
        ops[at].skip = ops.len() as u32;
    }
}
