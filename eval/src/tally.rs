//! Who adds up the terms: [`Play`] a score, [`Trace`] how often each weight counted.

use tamarin_movegen::{PieceKind, Square};

use crate::tapered::S;
use crate::terms::{danger, psqt};
use crate::weights::{COUNT, Slot, WEIGHTS};

/// What a term is written against. A term says "this weight counts `count` times
/// for this side" once, and playing, the `eval` table and the tuner all follow.
pub(crate) trait Tally {
    /// The weight at `slot` counts `count` times.
    fn add(&mut self, slot: impl Into<Slot>, count: i32);

    /// The same for a weight of the king attack, which goes through
    /// [`danger::curve`] after everything is added up.
    fn add_danger(&mut self, slot: impl Into<Slot>, count: i32);

    /// A piece of `kind` on `square`, with the side's piece-square table
    /// ([`crate::side::Side::table`]).
    fn place(&mut self, table: usize, kind: PieceKind, square: Square);
}

/// Adds up the score of one side.
#[derive(Clone, Copy, Default)]
pub(crate) struct Play {
    score: S,
    danger: S,
}

impl Play {
    /// What this side has in total.
    #[inline]
    pub(crate) fn total(self) -> S {
        self.score + danger::curve(self.danger)
    }
}

impl Tally for Play {
    #[inline(always)]
    fn add(&mut self, slot: impl Into<Slot>, count: i32) {
        self.score += WEIGHTS[slot.into().index()] * count;
    }

    #[inline(always)]
    fn add_danger(&mut self, slot: impl Into<Slot>, count: i32) {
        self.danger += WEIGHTS[slot.into().index()] * count;
    }

    #[inline(always)]
    fn place(&mut self, table: usize, kind: PieceKind, square: Square) {
        self.score += psqt::TABLES[table & 3][kind][square];
    }
}

/// Counts the weights of one side.
#[derive(Clone)]
pub(crate) struct Trace {
    counts: [i16; COUNT],
}

impl Trace {
    /// Nothing counted.
    pub(crate) const fn new() -> Self {
        Self { counts: [0; COUNT] }
    }

    /// How often each weight counted, in slot order.
    #[cfg(any(feature = "tune", test))]
    pub(crate) const fn counts(&self) -> &[i16; COUNT] {
        &self.counts
    }

    /// What the counted weights are worth, the king attack aside, over the slots in `range`.
    pub(crate) fn linear(&self, range: core::ops::Range<usize>) -> S {
        range.filter(|slot| !danger::RANGE.contains(slot)).map(|slot| self.worth(slot)).sum()
    }

    /// What the king attack is worth, after its curve.
    pub(crate) fn danger(&self) -> S {
        danger::curve(danger::RANGE.map(|slot| self.worth(slot)).sum())
    }

    fn worth(&self, slot: usize) -> S {
        WEIGHTS[slot] * i32::from(self.counts[slot])
    }
}

impl Tally for Trace {
    fn add(&mut self, slot: impl Into<Slot>, count: i32) {
        let index = slot.into().index();
        debug_assert!(!danger::RANGE.contains(&index));
        self.counts[index] += count as i16;
    }

    fn add_danger(&mut self, slot: impl Into<Slot>, count: i32) {
        let index = slot.into().index();
        debug_assert!(danger::RANGE.contains(&index));
        self.counts[index] += count as i16;
    }

    fn place(&mut self, table: usize, kind: PieceKind, square: Square) {
        for slot in psqt::slots_of(table, kind, square).into_iter().flatten() {
            self.add(slot, 1);
        }
    }
}
