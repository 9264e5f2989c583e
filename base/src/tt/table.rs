//! Probing, storing and replacing, and the size of the table.

use core::num::NonZeroU16;
use core::sync::atomic::{AtomicU8, Ordering};

use super::entry::{GENERATIONS, PackedEntry, ScoreContext, TableEntry, next_generation};
use crate::memory::prefetch;
use crate::params::Params;
use crate::{BUCKET_SIZE, Bucket, Buckets, Slot, TableError};

/// The shared table.
pub struct TranspositionTable {
    buckets: Buckets,
    mib: usize,
    /// The generation (age) of new entries: the number of the search modulo [`GENERATIONS`].
    generation: AtomicU8,
    /// Takes every entry for the one asked for: what key collisions would do to a search.
    #[cfg(feature = "key-collisions")]
    any_key_matches: bool,
}

impl TranspositionTable {
    /// An empty table of `mib` MiB. The system takes memory for it as it is used.
    ///
    /// # Errors
    /// If the size is out of range or the memory is not to be had. `freed` is the size in
    /// MiB of the table that will make way for this one; it counts as available.
    pub fn new(mib: usize, freed: usize) -> Result<Self, TableError> {
        Ok(Self {
            buckets: Buckets::of_size(mib, freed)?,
            mib,
            generation: AtomicU8::new(0),
            #[cfg(feature = "key-collisions")]
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
        self.generation.store(next_generation(self.generation()), Ordering::Relaxed);
    }

    /// The generation of the last search.
    pub fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }

    fn bucket(&self, key: u64) -> &Bucket {
        self.buckets.of(key)
    }

    /// Prefetches the bucket that [`Self::probe`] will read.
    pub fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// The entry of the position with this key, its scores adjusted to the probing node.
    #[inline]
    pub fn probe<M: TryFrom<NonZeroU16>>(
        &self,
        key: u64,
        context: ScoreContext,
    ) -> Option<TableEntry<M>> {
        // All slots are read and one is selected without a branch, which would often be
        // mispredicted: an entry may be in any of them.
        let mut entry = PackedEntry::NONE;
        for slot in self.bucket(key).iter().rev() {
            let (found, data) = slot.load();
            let packed = PackedEntry(data);
            #[cfg(feature = "key-collisions")]
            let found = if self.any_key_matches { key } else { found };
            entry = if found == key { packed } else { entry };
        }
        (entry != PackedEntry::NONE).then(|| entry.unpack(context))
    }

    /// Stores `entry` for the position with this key, at `ply` plies from the root.
    ///
    /// It replaces the entry of the same position, unless that is much deeper, or else an
    /// empty slot or the least valuable entry of the bucket: shallow and of an old generation.
    pub fn store<M: Copy + Into<NonZeroU16>>(
        &self,
        key: u64,
        ply: usize,
        entry: &TableEntry<M>,
        params: &Params,
    ) {
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
            let value = old.merits().worth(new.generation(), params);
            if value < replaced.1 {
                replaced = (slot, value);
            }
        }
        replaced.0.store(key, new.0);
    }

    /// All entries with their keys, those of a bucket in their order. Each is 64 bits, never 0, of
    /// which any make an entry.
    pub fn entries(&self) -> impl Iterator<Item = (u64, u64)> {
        let slots = self.buckets.as_slice().as_flattened().iter();
        slots.map(Slot::load).filter(|(_, data)| PackedEntry(*data) != PackedEntry::NONE)
    }

    /// Puts an entry of [`Self::entries`] into a table that was of this generation then: where there
    /// is room, else in the place of the least valuable entry of its bucket if that is worth less.
    /// Entries that come in order into a table of the same size are all where they were.
    pub fn insert(&self, key: u64, data: u64, params: &Params) {
        let worth = |entry: PackedEntry| match entry {
            PackedEntry::NONE => i32::MIN,
            entry => entry.merits().worth(self.generation(), params),
        };
        let worth_in = |slot: &Slot| worth(PackedEntry(slot.load().1));
        let new = PackedEntry(data);
        let least = self.bucket(key).iter().min_by_key(|slot| worth_in(slot));
        if let Some(least) = least
            && worth(new) > worth_in(least)
        {
            least.store(key, data);
        }
    }

    /// Takes the searches so far for as many as lead to this generation.
    pub fn set_generation(&self, generation: u8) {
        self.generation.store(generation % GENERATIONS, Ordering::Relaxed);
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
    #[cfg(feature = "key-collisions")]
    pub fn corrupt(&mut self, mut word: impl FnMut() -> u64) {
        self.any_key_matches = true;
        for slot in self.buckets.as_slice().as_flattened() {
            slot.store(word(), word());
        }
    }
}

/// What becomes of the entry of a position that is stored again; `None` if it stays.
fn updated(old: PackedEntry, new: PackedEntry, params: &Params) -> Option<PackedEntry> {
    if new.merits().replaces(old.merits(), params) {
        // A known best move is not given up for none.
        return Some(new.with_best(new.best().or(old.best())));
    }
    let other_move = new.best().is_some() && new.best() != old.best();
    other_move.then(|| old.with_best(new.best()).with_generation(new.generation()))
}

#[cfg(test)]
mod tests;
