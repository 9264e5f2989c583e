//! The transposition table: what the threads of a search know about positions seen before.
//!
//! Lock-free and without a line of `unsafe`: an entry is two relaxed atomic words, the
//! packed data and the key combined with the data by exclusive or. A reader that meets
//! half of one write and half of another finds a key that is not its own and ignores it.
//!
//! Source: Hyatt and Mann, "A lock-less transposition table implementation for parallel
//! search", 2002, for the verification by exclusive or.

mod entry;
mod keys;

mod storage;

use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use tamarin_eval::Score;

use crate::memory::{available, prefetch};

pub use entry::Bound;
pub(crate) use entry::{DEPTH_OF_EVALUATION, Hit, ScoreContext, TableEntry};
use entry::{GENERATIONS, Packed};
pub(crate) use keys::key;
use storage::Storage;

/// The smallest and greatest table sizes, in MiB.
pub const HASH_RANGE: core::ops::RangeInclusive<usize> = 1..=33_554_432;

/// Entries a bucket holds: what fits one cache line.
const BUCKET: usize = 4;

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
    #[error("hash size {mib} MiB refused, {available} MiB are available; keeping {kept} MiB")]
    TooLarge {
        /// The size asked for, in MiB.
        mib: usize,
        /// What could be had, in MiB.
        available: u64,
        /// What stays in force, in MiB.
        kept: usize,
    },
    /// The allocator refused.
    #[error("hash size {mib} MiB refused by the system; keeping {kept} MiB")]
    Refused {
        /// The size asked for, in MiB.
        mib: usize,
        /// What stays in force, in MiB.
        kept: usize,
    },
}

#[derive(bytemuck::Zeroable)]
#[repr(C)]
struct Slot {
    /// The key, exclusive-or'ed with `data`.
    check: AtomicU64,
    /// A [`Packed`] entry; zero if there is none.
    data: AtomicU64,
}

impl Slot {
    #[inline]
    fn load(&self) -> (u64, Packed) {
        let data = self.data.load(Ordering::Relaxed);
        (self.check.load(Ordering::Relaxed) ^ data, Packed(data))
    }

    #[inline]
    fn save(&self, key: u64, packed: Packed) {
        self.check.store(key ^ packed.0, Ordering::Relaxed);
        self.data.store(packed.0, Ordering::Relaxed);
    }
}

/// The entries of one cache line: a position's is in the bucket of its key.
type Bucket = [Slot; BUCKET];

/// The shared table.
pub(crate) struct TranspositionTable {
    storage: Storage,
    mib: usize,
    /// Counts the searches, modulo [`GENERATIONS`].
    generation: AtomicU8,
    /// Takes every entry for the one asked for, to see what nonsense does to a search.
    #[cfg(test)]
    credulous: bool,
}

impl TranspositionTable {
    /// An empty table of `mib` MiB. Its pages are taken from the system at their first use.
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
        let storage = Storage::new(bytes / size_of::<Bucket>()).ok_or(refused)?;
        Ok(Self {
            storage,
            mib,
            generation: AtomicU8::new(0),
            #[cfg(test)]
            credulous: false,
        })
    }

    /// The size in MiB.
    pub fn mib(&self) -> usize {
        self.mib
    }

    /// Empties the `part`-th of `parts` equal parts, so that many threads can share the work.
    pub fn clear(&self, part: usize, parts: usize) {
        let buckets = self.storage.buckets();
        let share = buckets.len().div_ceil(parts);
        let Some(buckets) = buckets.chunks(share).nth(part) else { return };
        for slot in buckets.as_flattened() {
            slot.check.store(0, Ordering::Relaxed);
            slot.data.store(0, Ordering::Relaxed);
        }
        if part == 0 {
            self.generation.store(0, Ordering::Relaxed);
        }
    }

    /// Makes everything in the table a search older.
    pub fn begin_search(&self) {
        let next = (self.generation.load(Ordering::Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Ordering::Relaxed);
    }

    #[inline]
    fn bucket(&self, key: u64) -> &Bucket {
        // The high half of the product is below the length: any size works, no division.
        let buckets = self.storage.buckets();
        let index = (u128::from(key) * buckets.len() as u128) >> 64;
        &buckets[index as usize]
    }

    /// Fetches what [`Self::probe`] will look at ahead of time.
    #[inline]
    fn prefetch(&self, key: u64) {
        prefetch(self.bucket(key));
    }

    /// What is known about the position with this key, in the terms of the node in this `context`.
    #[inline]
    pub fn probe(&self, key: u64, context: ScoreContext) -> Option<Hit> {
        // Without a branch for each slot: no processor foresees which one it will be.
        let mut known = Packed::NONE;
        for slot in self.bucket(key).iter().rev() {
            let (found, packed) = slot.load();
            #[cfg(test)]
            let found = if self.credulous { key } else { found };
            known = if found == key { packed } else { known };
        }
        (known != Packed::NONE).then(|| known.hit(context))
    }

    /// Remembers `entry` for the position with this key, at `ply` plies from the root.
    ///
    /// Replaces the position's own entry, unless that is much deeper, or else the entry
    /// of the bucket that is worth least: shallow, and from searches long ago.
    pub fn store(&self, key: u64, ply: usize, entry: &TableEntry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let bucket = self.bucket(key);
        let mut victim = (&bucket[0], i32::MAX);
        for slot in bucket {
            let (found, packed) = slot.load();
            if packed == Packed::NONE {
                victim = (slot, i32::MIN);
                break;
            }
            if found == key {
                return Self::overwrite(slot, (key, packed), ply, entry, generation);
            }
            let worth = packed.depth() - 8 * age(packed.generation(), generation);
            if worth < victim.1 {
                victim = (slot, worth);
            }
        }
        victim.0.save(key, Packed::new(entry, entry.best, ply, generation));
    }

    /// Replaces an entry of the same position if the new one is worth as much.
    fn overwrite(slot: &Slot, old: (u64, Packed), ply: usize, entry: &TableEntry, generation: u8) {
        let (key, old) = old;
        let exact = matches!(entry.result, Some((_, Bound::Exact)));
        let margin = 4 + 2 * i32::from(entry.principal);
        let stale = age(old.generation(), generation) != 0;
        if exact || entry.depth + margin > old.depth() || stale {
            let best = entry.best.or(old.best());
            slot.save(key, Packed::new(entry, best, ply, generation));
        } else if entry.best.is_some() && entry.best != old.best() {
            let best = entry.best.map_or(0, |best| u64::from(best.bits()));
            slot.save(key, Packed(old.0 & !0xFFFF | best).aged(generation));
        }
    }

    /// How full the table is with what this search wrote, in permille of a sample.
    pub fn permille_full(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let buckets = self.storage.buckets();
        let sample = &buckets[..buckets.len().min(250)];
        let used = sample.as_flattened().iter().filter(|slot| {
            let packed = slot.load().1;
            packed.0 != 0 && packed.generation() == generation
        });
        (used.count() * 1000 / (sample.len() * BUCKET)) as u32
    }

    /// Writes random words everywhere and takes them for entries from now on.
    #[cfg(test)]
    pub fn corrupt(&mut self, mut word: impl FnMut() -> u64) {
        self.credulous = true;
        for slot in self.storage.buckets().as_flattened() {
            slot.check.store(word(), Ordering::Relaxed);
            slot.data.store(word(), Ordering::Relaxed);
        }
    }
}

/// Searches since an entry was written.
fn age(written: u8, now: u8) -> i32 {
    i32::from((now + GENERATIONS - written) % GENERATIONS)
}

/// A score that only a search result has, for callers that keep results and none apart.
impl Hit {
    /// The score, if it is a bound that lets a node return it for this window's zero-width test.
    #[inline]
    pub fn decides(&self, beta: Score) -> Option<Score> {
        let (score, bound) = self.result?;
        let fits = if score >= beta { bound.is_lower() } else { bound.is_upper() };
        fits.then_some(score)
    }
}

#[cfg(test)]
mod tests;
