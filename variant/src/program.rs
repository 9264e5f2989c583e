//! Programs: how the moves of a piece from a square are written down.

use crate::board::{Set, Square, SquareSet};
use crate::requirement::{Test, TestKind};

/// What an operation of a program does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum OpKind {
    /// A test: on failure the program goes on at `skip`.
    Test(TestKind),
    /// The move to the square with the number `argument` can be played.
    Emit,
    /// The same, unless it has been found on another way.
    EmitOnce,
    /// Unless a friend stands on the square, the piece can go there; if the square is not empty,
    /// on to `skip`.
    Ride,
}

/// One operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Op {
    pub(crate) kind: OpKind,
    pub(crate) square: Square,
    pub(crate) argument: u16,
    pub(crate) skip: u32,
}

/// The moves without effects that ask for nothing but who is on their target. They need no
/// program: the sets of all targets decide about them at once.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Leaps {
    /// Anything but a friend may be there.
    pub(crate) free: SquareSet,
    /// Nobody may be there.
    pub(crate) quiet: SquareSet,
    /// An opponent has to be there.
    pub(crate) capture: SquareSet,
}

impl Leaps {
    /// Takes a move without effects, if its only test is about its target.
    pub(crate) fn take(&mut self, to: Square, tests: &[Test]) -> bool {
        let [test] = tests else { return false };
        let set = match test.kind {
            _ if test.square != to => return false,
            TestKind::NotFriend => &mut self.free,
            TestKind::Empty => &mut self.quiet,
            TestKind::Opponent => &mut self.capture,
            _ => return false,
        };
        set.insert(to);
        true
    }

    /// The targets of the moves that can be played.
    #[inline]
    pub(crate) fn targets<const W: usize>(&self, own: Set<W>, theirs: Set<W>) -> Set<W> {
        let quiet = self.quiet.first().minus(theirs);
        self.free.first().or(quiet).minus(own).or(self.capture.first().and(theirs))
    }
}

/// The moves of a piece from a square: its leaps, and for all others a decision tree written out
/// in a line. Moves that begin with the same tests share them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Program {
    pub(crate) leaps: Leaps,
    /// Its operations.
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Where its moves with effects begin in the table of moves.
    pub(crate) base: u32,
    /// Some move can be found on several ways.
    pub(crate) repeats: bool,
}
