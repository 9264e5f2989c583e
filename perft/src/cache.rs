//! The cache: a hash table of subtree counts, shared by all threads.

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use std::thread;

use bytemuck::allocation::try_zeroed_vec;
use tamarin_base::{HASH_RANGE, TableError, check_table_size};

use crate::cache_key::CacheKey;

/// A lockless hash table of counts by board and depth, of a fixed size.
///
/// An entry is two words: the 64 bits of the key's tag, exclusive-or the data
/// word, and the data word itself. Two threads may write the same entry at once and
/// leave one word of each: such a torn entry matches no tag, because the tag it would
/// match is the tag of one board changed by the difference of two counts. All
/// accesses are relaxed: an entry stands for itself and orders nothing else.
///
/// Source: R. Hyatt and T. Mann, "A lockless transposition-table implementation for
/// parallel search", ICGA Journal 25 (2002).
pub struct Cache {
    /// Buckets of [`BUCKET_WORDS`] words, and a bucket more so that they can be aligned to
    /// cache lines.
    words: Vec<AtomicU64>,
    /// Index of the first word on a cache line boundary.
    first: usize,
    buckets: usize,
    mebibytes: u32,
    /// Marks the entries of the present run, so that those of older runs go first.
    generation: AtomicU8,
}

/// A cache line: four entries, each a word with tag and data and a
/// word with the data alone.
///
/// ```text
///  63 .. 56 | 55 .. 48   | 47 .. 0
///  check    | generation | count, 0 in an empty entry
/// ```
/// The check is eight bits of the key that neither the tag nor the bucket index covers.
const BUCKET_WORDS: usize = 8;

/// Larger counts are not stored.
const MAX_COUNT: u64 = (1 << 48) - 1;

impl Cache {
    /// The largest size, in MiB: that of the engine's table.
    pub const MAX_MEBIBYTES: u32 = *HASH_RANGE.end() as u32;

    /// An empty cache of `mebibytes` MiB, or none if that is zero.
    ///
    /// # Errors
    /// If the size is beyond [`Self::MAX_MEBIBYTES`] or the memory cannot be had.
    pub fn new(mebibytes: u32) -> Result<Option<Self>, TableError> {
        if mebibytes == 0 {
            return Ok(None);
        }
        let mib = mebibytes as usize;
        // The system promises more than it has, and all of it is used at once.
        check_table_size(mib, 0)?;
        let refused = TableError::Refused { mib, kept: 0 };
        let bytes = mib.checked_mul(1 << 20).ok_or(refused)?;
        let line = BUCKET_WORDS * size_of::<AtomicU64>();
        let words: Vec<AtomicU64> =
            try_zeroed_vec(bytes / size_of::<AtomicU64>() + BUCKET_WORDS).map_err(|()| refused)?;
        prefault(&words);
        let first = words.as_ptr().align_offset(line).min(BUCKET_WORDS);
        Ok(Some(Self {
            words,
            first,
            buckets: bytes / line,
            mebibytes,
            generation: AtomicU8::new(0),
        }))
    }

    /// The size in MiB.
    pub fn mebibytes(&self) -> u32 {
        self.mebibytes
    }

    /// Starts a run: older entries stay valid but are replaced first.
    pub(crate) fn start_run(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// The entries that may hold `key`.
    #[inline]
    fn bucket(&self, key: CacheKey) -> &[[AtomicU64; 2]] {
        let index = ((u128::from(key.index) * self.buckets as u128) >> 64) as usize;
        let start = self.first + index * BUCKET_WORDS;
        self.words[start..start + BUCKET_WORDS].as_chunks().0
    }

    /// The count stored for `key`.
    #[inline]
    pub(crate) fn find(&self, key: CacheKey) -> Option<u64> {
        self.bucket(key).iter().find_map(|[tag_and_data, data]| {
            let data = data.load(Ordering::Relaxed);
            let tag = tag_and_data.load(Ordering::Relaxed) ^ data;
            let found = tag == key.tag && (data >> 56) as u8 == check(key);
            (found && data & MAX_COUNT != 0).then_some(data & MAX_COUNT)
        })
    }

    /// Stores a count, replacing an entry of an older run or else the smallest count.
    #[inline]
    pub(crate) fn store(&self, key: CacheKey, count: u64) {
        if count == 0 || count > MAX_COUNT {
            return;
        }
        let generation = self.generation.load(Ordering::Relaxed);
        let replacement_value = |[_, data]: &&[AtomicU64; 2]| {
            let data = data.load(Ordering::Relaxed);
            let current = (data >> 48) as u8 == generation;
            (current && data & MAX_COUNT != 0, data & MAX_COUNT)
        };
        let bucket = self.bucket(key);
        let [tag_and_data, data] =
            bucket.iter().min_by_key(replacement_value).expect("invariant: a bucket has entries");
        let word = u64::from(check(key)) << 56 | u64::from(generation) << 48 | count;
        data.store(word, Ordering::Relaxed);
        tag_and_data.store(key.tag ^ word, Ordering::Relaxed);
    }
}

/// Prefaults the pages of fresh memory by writing to each, on all cores.
///
/// A page that is first read and then written faults twice, and the second fault interrupts
/// all cores. The start position at depth 7 takes 1.25 s instead of 1.43 s
/// with 256 MiB, 1.71 s instead of 3.03 s with 1 GiB (two busy Skylake cores).
fn prefault(words: &[AtomicU64]) {
    const PAGE: usize = 4096 / size_of::<AtomicU64>();
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let part = words.len().div_ceil(cores).next_multiple_of(PAGE);
    let touch = |words: &[AtomicU64]| {
        words.iter().step_by(PAGE).for_each(|word| word.store(0, Ordering::Relaxed));
    };
    thread::scope(|scope| {
        for words in words.chunks(part) {
            let touch = move || touch(words);
            // If no thread can be started, the pages fault in on first use.
            let _ = thread::Builder::new().spawn_scoped(scope, touch);
        }
    });
}

/// The low bits of the index, of which the bucket index uses the high ones.
fn check(key: CacheKey) -> u8 {
    key.index as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(index: u64, tag: u64) -> CacheKey {
        CacheKey { index, tag }
    }

    #[test]
    fn finds_what_was_stored_and_nothing_else() {
        let cache = Cache::new(1).unwrap().unwrap();
        assert_eq!(cache.find(key(0, 0)), None, "an empty slot is no entry");
        cache.store(key(7, 9), 1234);
        assert_eq!(cache.find(key(7, 9)), Some(1234));
        assert_eq!(cache.find(key(7, 8)), None, "another tag");
        assert_eq!(cache.find(key(6, 9)), None, "another check");
    }

    #[test]
    fn counts_beyond_48_bits_are_not_stored() {
        let cache = Cache::new(1).unwrap().unwrap();
        cache.store(key(7, 9), MAX_COUNT + 1);
        assert_eq!(cache.find(key(7, 9)), None);
        cache.store(key(7, 9), MAX_COUNT);
        assert_eq!(cache.find(key(7, 9)), Some(MAX_COUNT));
    }

    #[test]
    fn the_least_work_goes_first_and_old_runs_before_it() {
        let cache = Cache::new(1).unwrap().unwrap();
        for tag in 1..=4 {
            cache.store(key(0, tag), 100 * tag);
        }
        cache.store(key(0, 5), 50);
        assert_eq!(cache.find(key(0, 1)), None, "the smallest count made room");
        assert_eq!(cache.find(key(0, 5)), Some(50));
        cache.start_run();
        cache.store(key(0, 6), 1);
        cache.store(key(0, 7), 1);
        assert_eq!(cache.find(key(0, 4)), Some(400));
        assert_eq!(cache.find(key(0, 2)), None, "the smallest of the old run made room");
        assert_eq!(cache.find(key(0, 6)), Some(1), "the present run stays");
    }

    #[test]
    fn no_memory_is_an_error() {
        let error = |mebibytes| Cache::new(mebibytes).err().unwrap();
        assert_eq!(error(u32::MAX), TableError::Range { mib: u32::MAX as usize });
        let most = error(Cache::MAX_MEBIBYTES).to_string();
        assert!(most.starts_with("hash size 33554432 MiB refused"), "{most}");
        assert!(Cache::new(0).unwrap().is_none());
    }
}
