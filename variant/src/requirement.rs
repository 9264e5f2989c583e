//! What a move asks of squares.

use std::cmp::Ordering;

use crate::board::Square;

/// What is asked of a square. The order is that of the tests of one square in a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub(crate) enum TestKind {
    /// Empty, or a piece of the opponent.
    NotFriend,
    Empty,
    Opponent,
    Occupied,
    Friend,
    /// A piece with the flags of the mask.
    Flag,
    /// No piece with the flags of the mask.
    NoFlag,
    Type,
    NoType,
    /// One of the tests of a group.
    Any,
    Attacked,
    Unattacked,
}

/// A question about a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Test {
    pub(crate) square: Square,
    pub(crate) kind: TestKind,
    /// Mask of a flag, number of a type or of a group of tests.
    pub(crate) argument: u16,
}

impl Test {
    /// In the order of these numbers the tests of a square are together.
    pub(crate) fn number(self) -> u32 {
        u32::from(self.square) << 24 | (self.kind as u32) << 16 | u32::from(self.argument)
    }
}

impl Ord for Test {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number().cmp(&other.number())
    }
}

impl PartialOrd for Test {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What is left of a condition when the board has decided what it can.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Requirement {
    /// A test that has to hold.
    One(Test),
    /// Tests of which at least one has to hold, in order.
    Any(Vec<Test>),
}

impl Requirement {
    /// Its tests.
    pub(crate) fn tests(&self) -> &[Test] {
        match self {
            Self::One(test) => std::slice::from_ref(test),
            Self::Any(tests) => tests,
        }
    }
}
