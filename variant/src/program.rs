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
    /// The square has to be empty.
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

/// The moves of a piece along a path, without effects: if the first squares are empty, to each of
/// the others up to the first piece, and onto it if it is no friend. They need no program either.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ray {
    path: SquareSet,
    pub(crate) targets: SquareSet,
    /// Whether squares further away have greater numbers.
    ascending: bool,
}

impl Ray {
    /// Reads a ray from operations, with the number of the first one behind it: a test whether a
    /// square is empty for each that has to be, a ride for each target but the last one.
    pub(crate) fn read(ops: &[Op], start: usize) -> Option<(Self, usize)> {
        let end = ops.get(start)?.skip as usize;
        let [path @ .., last, emit] = ops.get(start..end)? else { return None };
        let gates = path.iter().take_while(|op| op.kind == OpKind::Test(TestKind::Empty)).count();
        let goes_on = |op: &Op| op.skip as usize == end;
        let rides = path[gates..].iter().all(|op| op.kind == OpKind::Ride);
        let goes_there = (emit.kind, emit.square, emit.argument) == (OpKind::Emit, last.square, 0);
        let onto = last.kind == OpKind::Test(TestKind::NotFriend) && goes_there;
        if !rides || !onto || !path.iter().chain([last]).all(goes_on) {
            return None;
        }
        let squares = || path.iter().chain([last]).map(|op| op.square);
        let ascending = squares().is_sorted();
        if !ascending && !squares().rev().is_sorted() {
            return None;
        }
        let targets = squares().skip(gates).collect();
        Some((Self { path: squares().collect(), targets, ascending }, end))
    }

    /// Its targets up to the first piece on its path, that one included.
    #[inline]
    pub(crate) fn reach<const W: usize>(&self, occupied: Set<W>) -> Set<W> {
        let pieces = self.path.first::<W>().and(occupied);
        self.targets.first().and(match self.ascending {
            true => pieces.up_to_lowest(),
            false => pieces.down_to_highest(),
        })
    }

    /// Calls `found` with the targets that can be gone to, the nearest first.
    #[inline]
    pub(crate) fn for_each_target<const W: usize>(
        &self,
        own: Set<W>,
        theirs: Set<W>,
        found: impl FnMut(Square),
    ) {
        let targets = self.reach(own.or(theirs)).minus(own).iter();
        match self.ascending {
            true => targets.for_each(found),
            false => targets.rev().for_each(found),
        }
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
    /// The rays that its first operations are.
    pub(crate) rays: (u32, u32),
    /// The first operation behind those.
    pub(crate) rest: u32,
    /// Where its moves with effects begin in the table of moves.
    pub(crate) base: u32,
    /// Some move can be found on several ways.
    pub(crate) repeats: bool,
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::builtin::{BUILTINS, builtin, load};

    /// The targets found square by square.
    fn walk(ray: &Ray, occupied: SquareSet) -> SquareSet {
        let mut path: Vec<Square> = ray.path.iter().collect();
        if !ray.ascending {
            path.reverse();
        }
        let mut reached = SquareSet::EMPTY;
        for square in path {
            if ray.targets.has(square) {
                reached.insert(square);
            }
            if occupied.has(square) {
                break;
            }
        }
        reached
    }

    #[test]
    fn rays_reach_the_first_piece() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let large =
            format!("@royal none\nq WF\n\nboard:\n{}", ". . . . . . . . . . . .\n".repeat(12));
        let large = load(&large, None).unwrap().game;
        let games = BUILTINS.iter().map(|entry| builtin(entry.name).unwrap());
        let mut rays_of_words = [0; 4];
        for game in games.chain([large]) {
            rays_of_words[game.words] += game.rays.len();
            for ray in &game.rays {
                for _ in 0..20 {
                    let (sparse, squares) = (random.next_u32() % 8 + 1, 0..game.squares());
                    let occupied: SquareSet = squares
                        .filter(|_| random.next_u32() % sparse == 0)
                        .map(|square| square as Square)
                        .collect();
                    let expected = walk(ray, occupied);
                    assert_eq!(ray.reach::<3>(occupied.first()).whole(), expected);
                    if game.words == 1 {
                        assert_eq!(ray.reach::<1>(occupied.first()).whole(), expected);
                    }
                }
            }
        }
        assert!(rays_of_words[1..].iter().all(|&rays| rays > 100), "{rays_of_words:?}");
    }
}
