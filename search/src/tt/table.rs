//! Probing, storing and replacing, and the size of the table.

use core::sync::atomic::{AtomicU8, Ordering};

use super::bucket::{BUCKET_SIZE, Bucket, Buckets};
use super::entry::{Bound, GENERATIONS, Hit, PackedEntry, ScoreContext, TableEntry};
use crate::memory::{available, prefetch};
use crate::params::Params;

/// The smallest and greatest table sizes, in MiB.
pub const HASH_RANGE: core::ops::RangeInclusive<usize> = 1..=33_554_432;

/// A new table could not be had; the old one is still in force.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableError {
    /// The size is outside [`HASH_RANGE`].
    #[error("hash size {mib} MiB is out of range, it must be from 1 to 33554432")]
    Range {
        /// The size asked for, in MiB.
        mib: usize,
    },
    /// The system has less memory than that to give.
    #[error("hash size {mib} MiB refused, {available} MiB are available")]
    TooLarge {
        /// The size asked for, in MiB.
        mib: usize,
        /// What could be had, in MiB.
        available: u64,
        /// What stays in force, in MiB.
        kept: usize,
    },
    /// The allocator refused.
    #[error("hash size {mib} MiB refused by the system")]
    Refused {
        /// The size asked for, in MiB.
        mib: usize,
        /// What stays in force, in MiB.
        kept: usize,
    },
}

/// The shared table.
pub(crate) struct TranspositionTable {
    buckets: Buckets,
    mib: usize,
    /// The generation (age) of new entries: the number of the search modulo [`GENERATIONS`].
    generation: AtomicU8,
    /// Takes every entry for the one asked for: what key collisions would do to a search.
    #[cfg(test)]
    any_key_matches: bool,
}

impl TranspositionTable {
    /// An empty table of `mib` MiB. The system takes memory for it as it is used.
    ///
    /// # Errors
    /// If the size is out of range or the memory is not to be had. `freed` is the size in
    /// MiB of the table that will make way for this one; it counts as available.
    pub fn new(mib: usize, freed: usize) -> Result<Self, TableError> {
        if !HASH_RANGE.contains(&mib) {
            return Err(TableError::Range { mib });
        }
        if let Some(bytes) = available() {
            let available = (bytes >> 20) + freed as u64;
            if mib as u64 > available && mib > freed {
                return Err(TableError::TooLarge { mib, available, kept: freed });
            }
        }
        let refused = TableError::Refused { mib, kept: freed };
        let bytes = mib.checked_mul(1 << 20).ok_or(refused)?;
        let buckets = Buckets::new(bytes / size_of::<Bucket>()).ok_or(refused)?;
        Ok(Self {
            buckets,
            mib,
            generation: AtomicU8::new(0),
            #[cfg(test)]
            any_key_matches: false,
        })
    }

    /// The size in MiB.
    pub fn mib(&self) -> usize {
        self.mib
    }

    /// Empties the `part`-th of `parts` equal parts, so that many threads can share the work.
    pub fn clear(&self, part: usize, parts: usize) {
        let buckets = self.buckets.as_slice();
        let share = buckets.len().div_ceil(parts);
        let Some(buckets) = buckets.chunks(share).nth(part) else { return };
        for slot in buckets.as_flattened() {
            slot.clear();
        }
        if part == 0 {
            self.generation.store(0, Ordering::Relaxed);
        }
    }

    /// A search begins: all entries are one generation older.
    pub fn begin_search(&self) {
        let next = (self.generation() + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline]
    fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        self.buckets.of(key)
    }

    /// Prefetches the bucket that [`Self::probe`] will read.
    #[inline]
    pub(super) fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// The entry of the position with this key, its scores adjusted to the probing node.
    #[inline]
    pub fn probe(&self, key: u64, context: ScoreContext) -> Option<Hit> {
        // All slots are read and one is selected without a branch, which would often be
        // mispredicted: an entry may be in any of them.
        let mut entry = PackedEntry::NONE;
        for slot in self.bucket(key).iter().rev() {
            let (found, data) = slot.load();
            let packed = PackedEntry(data);
            #[cfg(test)]
            let found = if self.any_key_matches { key } else { found };
            entry = if found == key { packed } else { entry };
        }
        (entry != PackedEntry::NONE).then(|| entry.hit(context))
    }

    /// Stores `entry` for the position with this key, at `ply` plies from the root.
    ///
    /// It replaces the entry of the same position, unless that is much deeper, or else an
    /// empty slot or the least valuable entry of the bucket: shallow and of an old generation.
    pub fn store(&self, key: u64, ply: usize, entry: &TableEntry, params: &Params) {
        let new = PackedEntry::new(entry, ply, self.generation());
        let bucket = self.bucket(key);
        let mut replaced = (&bucket[0], i32::MAX);
        for slot in bucket {
            let (found, data) = slot.load();
            let old = PackedEntry(data);
            if old == PackedEntry::NONE {
                replaced = (slot, i32::MIN);
                break;
            }
            if found == key {
                if let Some(updated) = updated(old, new, params) {
                    slot.store(key, updated.0);
                }
                return;
            }
            let value = old.depth() - params.tt_age_weight() * age(old, new);
            if value < replaced.1 {
                replaced = (slot, value);
            }
        }
        replaced.0.store(key, new.0);
    }

    /// How full the table is with what this search wrote, in permille of a sample.
    pub fn permille_full(&self) -> u32 {
        let generation = self.generation();
        let buckets = self.buckets.as_slice();
        let sample = &buckets[..buckets.len().min(250)];
        let used = sample.as_flattened().iter().filter(|slot| {
            let packed = PackedEntry(slot.load().1);
            packed.0 != 0 && packed.generation() == generation
        });
        (used.count() * 1000 / (sample.len() * BUCKET_SIZE)) as u32
    }

    /// Writes random words everywhere and takes them for entries from now on.
    #[cfg(test)]
    pub fn corrupt(&mut self, mut word: impl FnMut() -> u64) {
        self.any_key_matches = true;
        for slot in self.buckets.as_slice().as_flattened() {
            for half in slot.words() {
                half.store(word(), Ordering::Relaxed);
            }
        }
    }
}

/// What becomes of the entry of a position that is stored again; `None` if it stays.
fn updated(old: PackedEntry, new: PackedEntry, params: &Params) -> Option<PackedEntry> {
    let exact = new.bound() == Some(Bound::Exact);
    let pv = if new.principal() { params.tt_overwrite_pv() } else { 0 };
    let margin = params.tt_overwrite_margin() + pv;
    if exact || new.depth() + margin > old.depth() || age(old, new) != 0 {
        // A known best move is not given up for none.
        return Some(new.with_best(new.best().or(old.best())));
    }
    let other_move = new.best().is_some() && new.best() != old.best();
    other_move.then(|| old.with_best(new.best()).with_generation(new.generation()))
}

/// How many searches an entry is older than another.
fn age(old: PackedEntry, new: PackedEntry) -> i32 {
    i32::from((new.generation() + GENERATIONS - old.generation()) % GENERATIONS)
}

#[cfg(test)]
mod tests;
