//! The transposition table of a search of any game.

use std::sync::atomic::{AtomicU8, Ordering};

use tamarin_base::params::Params;
use tamarin_base::replacement::{Merits, next_generation};
use tamarin_base::{Bound, Bucket, Buckets, Slot};
use tamarin_variant::Move;

use crate::score::is_decisive;

/// The numbers that replacement depends on.
const PARAMS: Params = Params::new();

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    /// The best move, if one was found. It may be none of this position.
    pub best: Option<Move>,
    /// In score units; wins count from the node.
    pub score: i32,
    pub bound: Bound,
    /// The remaining depth of the search, in plies.
    pub depth: i32,
}

/// Entries of 64 bits that threads share without locks.
///
/// ```text
///  63..58      57..56  55..48  47..32  31..0
///  generation  bound   depth   score   move
/// ```
pub(crate) struct Table {
    buckets: Buckets,
    generation: AtomicU8,
}

impl Table {
    /// A table of `mib` MiB, or `None` if there is no memory for it.
    pub fn new(mib: usize) -> Option<Self> {
        let bytes = mib.checked_mul(1 << 20)?;
        let buckets = Buckets::new((bytes / size_of::<Bucket>()).max(1))?;
        Some(Self { buckets, generation: AtomicU8::new(0) })
    }

    pub fn clear(&self) {
        self.buckets.as_slice().as_flattened().iter().for_each(Slot::clear);
    }

    /// All entries get one search older.
    pub fn begin_search(&self) {
        let next = next_generation(self.generation.load(Ordering::Relaxed));
        self.generation.store(next, Ordering::Relaxed);
    }

    /// The entry of a position, with wins as they count at `ply`.
    #[inline]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let slots = self.buckets.of(key).iter();
        let data = slots.map(Slot::load).find(|&(found, data)| found == key && data != 0)?.1;
        unpack(data, ply)
    }

    /// Keeps an entry, in place of the same position's (but not of a much deeper one of this
    /// search) or of the least valuable one: shallow, and of an old search.
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let generation = self.generation.load(Ordering::Relaxed);
        let new =
            Merits { depth: entry.depth, bound: Some(entry.bound), principal: false, generation };
        let bucket = self.buckets.of(key);
        let mut replaced = (&bucket[0], i32::MAX);
        for slot in bucket {
            let (found, data) = slot.load();
            if found == key && data != 0 {
                if !new.replaces(merits(data), &PARAMS) {
                    return;
                }
                entry.best = entry.best.or_else(|| unpack(data, 0).and_then(|old| old.best));
                replaced = (slot, 0);
                break;
            }
            let value = if data == 0 { i32::MIN } else { merits(data).worth(generation, &PARAMS) };
            if value < replaced.1 {
                replaced = (slot, value);
            }
        }
        replaced.0.store(key, pack(&entry, ply, generation));
    }

    /// How full the table is with what this search wrote, in permille of a sample.
    pub fn permille_full(&self) -> u32 {
        let generation = self.generation.load(Ordering::Relaxed);
        let buckets = self.buckets.as_slice();
        let sample = buckets[..buckets.len().min(250)].as_flattened();
        let used = sample.iter().filter(|slot| {
            let data = slot.load().1;
            data != 0 && generation_of(data) == generation
        });
        (used.count() * 1000 / sample.len()) as u32
    }
}

/// Stands for "no move": no move goes from the last square to the last square with an effect.
const NO_MOVE: u32 = u32::MAX;

fn pack(entry: &Entry, ply: usize, generation: u8) -> u64 {
    let ply = ply as i32;
    let score = match entry.score {
        score if !is_decisive(score) => score,
        score if score > 0 => score + ply,
        score => score - ply,
    };
    u64::from(entry.best.map_or(NO_MOVE, Move::bits))
        | u64::from(score as i16 as u16) << 32
        | u64::from(entry.depth.clamp(0, 255) as u8) << 48
        | (entry.bound as u64) << 56
        | u64::from(generation) << 58
}

fn unpack(data: u64, ply: usize) -> Option<Entry> {
    let bound = Bound::from_bits((data >> 56) as u8)?;
    let score = i32::from((data >> 32) as i16);
    let score = match score {
        score if !is_decisive(score) => score,
        score if score > 0 => score - ply as i32,
        score => score + ply as i32,
    };
    let bits = data as u32;
    let best = (bits != NO_MOVE).then(|| Move::from_bits(bits));
    Some(Entry { best, score, bound, depth: depth_of(data) })
}

fn depth_of(data: u64) -> i32 {
    i32::from((data >> 48) as u8)
}

fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

/// What decides whether a packed entry is replaced.
fn merits(data: u64) -> Merits {
    Merits {
        depth: depth_of(data),
        bound: Bound::from_bits((data >> 56) as u8),
        principal: false,
        generation: generation_of(data),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::WIN;

    #[test]
    fn entries_come_back() {
        let table = Table::new(1).unwrap();
        table.begin_search();
        let best = Some(Move::from_bits(0x0003_1C0C));
        for (key, score) in [(7, -250), (1 << 40, WIN - 5), (u64::MAX, 9 - WIN)] {
            let entry = Entry { best, score, bound: Bound::Lower, depth: 9 };
            table.store(key, 4, entry);
            assert_eq!(table.probe(key, 4), Some(entry));
        }
        // A win counts from the node.
        assert_eq!(table.probe(1 << 40, 6).unwrap().score, WIN - 7);
        assert_eq!(table.probe(8, 0), None);
        assert!(table.permille_full() > 0);
        table.clear();
        assert_eq!(table.probe(7, 4), None);
    }

    #[test]
    fn a_known_move_is_kept() {
        let table = Table::new(1).unwrap();
        let best = Some(Move::from_bits(0x0000_1C0C));
        table.store(7, 0, Entry { best, score: 1, bound: Bound::Lower, depth: 3 });
        table.store(7, 0, Entry { best: None, score: 2, bound: Bound::Exact, depth: 4 });
        assert_eq!(table.probe(7, 0).unwrap().best, best);
        // A shallow bound does not push out a deep one.
        table.store(7, 0, Entry { best: None, score: 3, bound: Bound::Upper, depth: 0 });
        assert_eq!(table.probe(7, 0).unwrap().score, 2);
    }
}
