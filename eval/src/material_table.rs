//! The material hash table of one thread: the score of everything that depends on the numbers of
//! pieces only.

use tamarin_movegen::{Color, PerColor};

use crate::perspective::Perspective;
use crate::score_sum::ScoreSum;
use crate::tapered::S;
use crate::terms::imbalance::{self, Counts};

/// Entries of a table: the material of a search hardly changes, and 16 KiB fit in the first-level
/// cache of the processor. A power of two.
const ENTRIES: usize = 1 << 10;

#[derive(Clone, Copy, Default)]
struct Slot {
    key: u64,
    score: S,
}

/// Keeps the imbalance of material. What it holds never changes a result.
pub(crate) struct MaterialTable {
    slots: Box<[Slot]>,
}

impl MaterialTable {
    /// An empty table.
    pub(crate) fn new() -> Self {
        // No key is zero, so an empty slot matches nothing.
        Self { slots: vec![Slot::default(); ENTRIES].into_boxed_slice() }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(Slot::default());
    }

    /// The imbalance, White's less Black's.
    #[inline]
    pub(crate) fn imbalance(&mut self, sides: &PerColor<Perspective>) -> S {
        let counts = PerColor(Color::ALL.map(|color| Counts::new(&sides[color])));
        let key = counts[Color::White].packed() << 32 | counts[Color::Black].packed();
        // Fibonacci hashing: 2^64 over the golden ratio.
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = &mut self.slots[(hash >> (u64::BITS - ENTRIES.ilog2())) as usize];
        if slot.key != key {
            *slot = Slot { key, score: evaluate(&counts) };
        }
        slot.score
    }
}

#[cold]
fn evaluate(counts: &PerColor<Counts>) -> S {
    let total = |color| {
        let mut sum = ScoreSum::default();
        imbalance::imbalance(&counts[color], &counts[!color], &mut sum);
        sum.total()
    };
    total(Color::White) - total(Color::Black)
}
