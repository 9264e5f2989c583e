//! The cache: a hash table of subtree counts, shared by all threads.

use core::num::NonZeroUsize;
use core::sync::atomic::{AtomicU8, Ordering};

use std::thread;

use tamarin_base::{Bucket, Buckets, HASH_RANGE, Slot, TableError};
use tamarin_movegen::{Board, Color, PieceKind};

/// A lockless hash table of counts by board and depth, of a fixed size.
///
/// The key of a slot is the 64 bits of the tag. Its data word, 0 in an empty entry:
///
/// ```text
///  63 .. 56 | 55 .. 48   | 47 .. 0
///  check    | generation | count
/// ```
/// The check is eight bits of the key that neither the tag nor the bucket index covers.
pub struct Cache {
    buckets: Buckets,
    mebibytes: u32,
    /// Marks the entries of the present run, so that those of older runs go first.
    generation: AtomicU8,
}

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
        let buckets = Buckets::of_size(mebibytes as usize, 0)?;
        prefault(buckets.as_slice());
        Ok(Some(Self { buckets, mebibytes, generation: AtomicU8::new(0) }))
    }

    /// The size in MiB.
    pub fn mebibytes(&self) -> u32 {
        self.mebibytes
    }

    /// Starts a run: older entries stay valid but are replaced first.
    pub(crate) fn start_run(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// The count stored for `key`.
    #[inline]
    pub(crate) fn find(&self, key: CacheKey) -> Option<u64> {
        self.buckets.of(key.index).iter().find_map(|slot| {
            let (tag, data) = slot.load();
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
        let replacement_value = |slot: &&Slot| {
            let (_, data) = slot.load();
            let current = (data >> 48) as u8 == generation;
            (current && data & MAX_COUNT != 0, data & MAX_COUNT)
        };
        let bucket = self.buckets.of(key.index);
        let slot =
            bucket.iter().min_by_key(replacement_value).expect("invariant: a bucket has entries");
        slot.store(key.tag, u64::from(check(key)) << 56 | u64::from(generation) << 48 | count);
    }
}

/// Prefaults the pages of fresh memory by writing to each, on all cores.
///
/// A page that is first read and then written faults twice, and the second fault interrupts
/// all cores. The start position at depth 7 takes 1.25 s instead of 1.43 s
/// with 256 MiB, 1.71 s instead of 3.03 s with 1 GiB (two busy Skylake cores).
fn prefault(buckets: &[Bucket]) {
    const PAGE: usize = 4096 / size_of::<Bucket>();
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let part = buckets.len().div_ceil(cores).next_multiple_of(PAGE);
    let touch = |buckets: &[Bucket]| {
        buckets.iter().step_by(PAGE).for_each(|bucket| bucket[0].clear());
    };
    thread::scope(|scope| {
        for buckets in buckets.chunks(part) {
            let touch = move || touch(buckets);
            // If no thread can be started, the pages fault in on first use.
            let _ = thread::Builder::new().spawn_scoped(scope, touch);
        }
    });
}

/// The low bits of the index, of which the bucket index uses the high ones.
fn check(key: CacheKey) -> u8 {
    key.index as u8
}

/// A 128-bit hash of a board and a depth.
///
/// A 64-bit Zobrist key is not enough here. In a table of 2^24 entries the index already
/// fixes 24 of its bits, so that of 10^10 probes an occasional one matches a wrong entry
/// (a hash collision), and a single one makes the count wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CacheKey {
    /// Gives the index of the bucket.
    pub(crate) index: u64,
    /// Stored with the entry and compared.
    pub(crate) tag: u64,
}

/// Eight numbers without structure: the output of SplitMix64 for the seed 0.
const KEYS: [u64; 8] = {
    let mut keys = [0; 8];
    let mut state = 0u64;
    let mut i = 0;
    while i < keys.len() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        keys[i] = z ^ z >> 31;
        i += 1;
    }
    keys
};

impl CacheKey {
    /// The key of `board` with `depth` plies to go.
    ///
    /// The eight words that describe a board go through the hash NH: for keys drawn
    /// at random two different messages meet with a chance of at most 2^-64, and
    /// NH costs four multiplications.
    ///
    /// Source: J. Black, S. Halevi, H. Krawczyk, T. Krovetz, P. Rogaway, "UMAC: fast
    /// and secure message authentication", CRYPTO 1999.
    #[inline]
    pub(crate) fn new(board: &Board, depth: u8) -> Self {
        // Rights stand on the first and last rank; the ranks between are free.
        let state = board.castling().0
            | u64::from(board.side_to_move() == Color::Black) << 8
            | board.en_passant().map_or(0, |square| square as u64 + 1) << 16
            | u64::from(depth) << 24;
        let pieces = |kind: PieceKind| board.pieces(kind).0;
        let sum = product(0, pieces(PieceKind::Pawn), pieces(PieceKind::Knight))
            .wrapping_add(product(2, pieces(PieceKind::Bishop), pieces(PieceKind::Rook)))
            .wrapping_add(product(4, pieces(PieceKind::Queen), pieces(PieceKind::King)))
            .wrapping_add(product(6, board.color(Color::White).0, state));
        // NH mixes the middle bits of the sum well, the outermost badly. Two Feistel rounds
        // spread every bit over both halves, and as a bijection add no collisions.
        let (low, high) = (sum as u64, (sum >> 64) as u64);
        let index = high ^ fold(low);
        Self { index, tag: low ^ fold(index) }
    }
}

fn product(i: usize, a: u64, b: u64) -> u128 {
    u128::from(a.wrapping_add(KEYS[i])) * u128::from(b.wrapping_add(KEYS[i + 1]))
}

#[inline]
fn fold(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x ^ x >> 29
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
